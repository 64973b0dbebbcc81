"""Chart files without a browser: `python -m dashboards.export RUN FOLDER` draws a metric for a README or a paper."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from dashboards import charts, figure, theme, wording
from dashboards.rotations import games_by_lineup, rotations
from engine.errors import BadInput
from pipeline.metric import load_metric
from pipeline.run import open_run


def export(
    run: Path, folder: Path, metric: str = "turns_per_game", lineups: Sequence[str] = (), variants: Sequence[str] = ()
) -> list[Path]:
    """Draw a metric by variant and line-up into NAME-light.svg and NAME-dark.svg; returns their paths."""
    there = open_run(run)
    defined = load_metric(metric)
    turned = rotations(there)
    unknown = next((lineup for lineup in lineups if lineup not in turned), "")
    if unknown:
        raise BadInput(f"line-up '{unknown}': the run has {', '.join(turned)}")
    played = [one for lineup in lineups for one in turned[lineup]] or None
    table = there.metric(metric, ("variant", "given_lineup"), variant=variants or None, lineup=played)
    words = wording.range_of(table, defined, games_by_lineup(there, variants or None, lineups or None))
    draw = partial(charts.estimate, table, words, wording.measure_of(defined), group="given_lineup")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for mode in theme.MODES:
        path = folder / f"{metric}-{mode}.svg"
        path.write_bytes(figure.drawing(draw, theme.palette(there.variants, rotations(there), mode=mode), "svg"))
        written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line of the module; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m dashboards.export", description="Draw a metric of a run as SVG.")
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("folder", type=Path, help="folder for the files")
    parser.add_argument("--metric", default="turns_per_game", help="name of the metric (default: %(default)s)")
    parser.add_argument("--lineup", action="append", default=[], help="only this line-up; may be repeated")
    parser.add_argument("--variant", action="append", default=[], help="only this variant; may be repeated")
    given = parser.parse_args(arguments)
    try:
        for path in export(given.run, given.folder, given.metric, given.lineup, given.variant):
            print(path)
    except BadInput as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
