"""Chart files without a browser: `python -m dashboards.export RUN FOLDER` draws a metric for a README or a paper.

With `--rules` it draws what the rules of a sweep do to the metric: each by itself, and the two that meddle most.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from dashboards import charts, figure, theme, wording, wording_sweep
from dashboards.rotations import games_by_lineup, rotations
from dashboards.theme import Figure, Palette
from engine.errors import BadInput
from pipeline.metric import load_metric
from pipeline.run import open_run
from pipeline.sweeps import analyse


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
    return _write(folder, metric, draw, theme.palette(there.variants, rotations(there)))


def export_rules(
    run: Path, folder: Path, metric: str = "turns_per_game", lineups: Sequence[str] = (), variants: Sequence[str] = ()
) -> list[Path]:
    """Draw the effects of the rules of a sweep, and the two whose interaction is largest, where rules met."""
    there, defined = open_run(run), load_metric(metric)
    swept = analyse(there, metric, variants=variants or None, lineups=lineups or None)
    played, colours = (
        games_by_lineup(there, variants or None, lineups or None),
        theme.palette(there.variants, rotations(there)),
    )
    words, _ = wording_sweep.effects_of(swept.effects, defined, swept.design.base, played)
    rows, measure = wording_sweep.changes_of(swept.effects), wording_sweep.measure_of(defined)
    draw = partial(charts.difference, rows, words, measure, rows="change", group="given_lineup", by_value=False)
    written = _write(folder, f"rules-{metric}", draw, colours)
    pair = wording_sweep.strongest(swept.interactions, wording_sweep.pairs_of(swept.means))
    if pair is None:
        return written
    means = wording_sweep.of_pair(swept.means, pair)
    words = wording_sweep.together_of(swept.interactions, means, defined, pair, played)
    own = wording_sweep.colours_of(means["other_level"].to_list(), colours)
    lines = partial(
        charts.interaction, means, words, wording.measure_of(defined), x="level", lines="other_level", titles=pair
    )
    return written + _write(folder, f"together-{metric}", lines, own)


def _write(folder: Path, name: str, draw: Callable[[Palette], Figure], colours: Palette) -> list[Path]:
    """The chart for light and for dark pages."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for mode in theme.MODES:
        path = folder / f"{name}-{mode}.svg"
        path.write_bytes(figure.drawing(draw, colours.on(mode), "svg"))
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
    parser.add_argument("--rules", action="store_true", help="effects of the rules of a sweep instead")
    given = parser.parse_args(arguments)
    try:
        for path in (export_rules if given.rules else export)(
            given.run, given.folder, given.metric, given.lineup, given.variant
        ):
            print(path)
    except BadInput as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
