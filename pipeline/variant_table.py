"""What every variant of a run looks like when it is played: `python -m pipeline.variant_table RUN [PAGE]`.

Of each variant the strategy that wins most against the others of the run, on all seats. The tables are Markdown, every
number a metric of the lab with its 95 % interval; with a page (docs/variants.md) they take the place of what stands
between its two marks, else they are printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from pipeline.run import Run, open_run

BEGIN, END = "<!-- variant_table -->\n", "<!-- /variant_table -->\n"
Row = Mapping[str, Any]
LEAST_SHARE = 0.0005
"""Endings and canastas rarer than this, of one variant, are not named."""


@dataclass(frozen=True)
class Contest:
    """One strategy of a variant against the others: its win rates by line-up as given, and their mean."""

    strategy: str
    rates: tuple[Row, ...]

    @property
    def mean(self) -> float:
        """Mean of the win rates over the line-ups, between 0 and 1."""
        return sum(float(row["value"]) for row in self.rates) / len(self.rates)


def find_best(run: Run) -> dict[str, Contest]:
    """By variant the strategy with the highest mean win rate over the line-ups it met others in."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in run.metric("win_rate").to_dicts():
        found.setdefault((row["variant"], row["strategy"]), []).append(row)
    best: dict[str, Contest] = {}
    for (variant, strategy), rates in found.items():
        contest = Contest(strategy, tuple(rates))
        if variant not in best or contest.mean > best[variant].mean:
            best[variant] = contest
    return best


def write_tables(run: Run, source: str) -> str:
    """The three tables of a run, as Markdown; `source` says how the run was made."""
    best = find_best(run)
    if not best:
        raise BadInput(f"{run.path}: no line-up with different strategies; play data/plans/variants.toml")
    answers = {name: _by_variant(run, name, best) for name in METRICS}
    figures = answers["deals_per_game"]
    games = sorted({row[0]["games"] for row in figures.values()})
    head = f"{', '.join(f'{count:,}' for count in games)} games a variant and line-up; {source}\n\n"
    length = (
        (f"`{variant}`", best[variant].strategy, *(_tell(answers[name][variant]) for name in METRICS[:3]),
         _tell_capped(figures[variant][0]))
        for variant in best
    )  # fmt: skip
    hands = ((f"`{variant}`", *(_tell(answers[name][variant]) for name in METRICS[3:])) for variant in best)
    contests = (
        (f"`{variant}`", contest.strategy, ", ".join(_tell_contest(row) for row in contest.rates))
        for variant, contest in best.items()
    )
    return (
        head
        + _tabulate(
            ("variant", "best", "deals per game", "turns per deal", "how deals end, %", "games that hit the cap, %"),
            length,
        )
        + "\n"
        + _tabulate(("variant", "canastas per side and deal", "points per side and deal", "frozen turns, %"), hands)
        + "\n"
        + _tabulate(("variant", "best", "wins, %, against"), contests)
    )


METRICS = (
    "deals_per_game",
    "turns_per_deal",
    "ending_share",
    "canastas_per_side_deal",
    "points_per_side_deal",
    "frozen_turn_share",
)
SPLIT = {"ending_share": "ending", "canastas_per_side_deal": "type"}
SHARES = {"ending_share", "frozen_turn_share"}
DIGITS = {"points_per_side_deal": 0, "turns_per_deal": 1, "ending_share": 1, "frozen_turn_share": 1, "win_rate": 1}


def _by_variant(run: Run, metric: str, best: Mapping[str, Contest]) -> dict[str, list[Row]]:
    """Rows of a metric by variant, of the best strategy on all seats; each has its metric's name and its word."""
    split = SPLIT.get(metric)
    table = run.metric(metric, ["variant", "given_lineup", *([split] if split else [])])
    chosen: dict[str, list[Row]] = {variant: [] for variant in best}
    for row in table.to_dicts():
        if row["variant"] in best and row["given_lineup"] == best[row["variant"]].strategy:
            chosen[row["variant"]].append({**row, "metric": metric, "word": row[split] if split else ""})
    return chosen


def _tell(rows: Sequence[Row]) -> str:
    """A metric of one variant: its value with the interval, or each of its parts that there are."""
    told = [row for row in rows if row["value"] is not None and (not row["word"] or row["value"] >= LEAST_SHARE)]
    return ", ".join(f"{row['word'].replace('_', ' ')} {_tell_value(row)}".strip() for row in told) or "–"


def _tell_value(row: Row) -> str:
    metric = row.get("metric", "win_rate")
    times, digits = (100 if metric in SHARES or metric == "win_rate" else 1), DIGITS.get(metric, 2)
    value, *bounds = (None if row[key] is None else row[key] * times for key in ("value", "low", "high"))
    if row["low"] is None or row["high"] is None:
        return f"{value:,.{digits}f}" + ("*" if row["few"] else "")
    return f"{value:,.{digits}f} [{bounds[0]:,.{digits}f}, {bounds[1]:,.{digits}f}]"


def _tell_capped(row: Row) -> str:
    return f"{100 * row['capped']:.1f}" if row["capped"] else "0"


def _tell_contest(row: Row) -> str:
    others = [name for name in row["given_lineup"].split("~") if name != row["strategy"]]
    times = {key: None if row[key] is None else row[key] for key in ("value", "low", "high")}
    return f"{' and '.join(others)} {_tell_value({**times, 'few': row['few']})}"


def _tabulate(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def replace_tables(page: str, tables: str) -> str:
    """The page with the tables between its marks; BadInput where it has no marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BadInput(f"the page has no lines {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}{tables}{end}{after}"


def main(given: Sequence[str]) -> int:
    """Print the tables of a run, or put them into a page."""
    try:
        if len(given) not in (1, 2):
            raise BadInput("give a run, and a page if the tables shall go into it")
        run = open_run(given[0])
        seed, day = run.manifest["seed"], str(run.manifest["created"])[:10]
        tables = write_tables(run, f"seed {seed}, {day}; in brackets 95 % intervals.")
        if len(given) == 1:
            sys.stdout.write(tables)
            return 0
        page = Path(given[1])
        page.write_text(replace_tables(page.read_text("utf-8"), tables), "utf-8")
    except (BadInput, OSError) as error:
        print(f"variant_table: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
