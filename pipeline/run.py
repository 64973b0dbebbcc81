"""A run opened for asking: metrics, named queries, answers with their sentences, single deals.

Only what is committed exists. Opening reads the manifest and the commits, no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from engine import log
from engine.errors import BadInput
from pipeline import dataset, kinds
from pipeline.cells import RunCell, read_cells
from pipeline.comparison import Base, choose_with_base, compare, find_base
from pipeline.measure import measure
from pipeline.measure_sql import measure_sql
from pipeline.metric import Metric, load_metric
from pipeline.query import load_query, run_query
from pipeline.run_tables import RunTables, listed
from pipeline.several import measure_several
from pipeline.table_frames import Choice
from pipeline.where_expression import write_where

if TYPE_CHECKING:
    from pipeline.ask import Answer
    from pipeline.deal import Deal


def open_run(path: str | Path) -> Run:
    """The run in a folder; BadInput when it is none, holds nothing committed or was written in another schema."""
    if not isinstance(path, (str, Path)):
        raise BadInput(f"run {path!r}: give the path of its folder")
    folder = Path(path)
    manifest = dataset.read_manifest(folder)
    version = str(manifest.get("schema_version"))
    if version.split(".")[0] != log.SCHEMA_VERSION.split(".")[0]:
        raise BadInput(
            f"{folder}: written in schema {version}; this version reads "
            f"{log.SCHEMA_VERSION.split('.')[0]}.x: simulate it anew"
        )
    cells = read_cells(manifest, dataset.committed(folder))
    if not any(cell.shards for cell in cells):
        raise BadInput(f"{folder}: no committed shard yet: finish it with `canasta simulate`")
    return Run(folder, manifest, cells)


class Run(RunTables):
    """A run on disk, or a game played in memory: its tables, and what can be asked of them."""

    def query(self, name: str, variant: Choice = None, lineup: Choice = None, **parameters: Any) -> pl.DataFrame:
        """Answer of a named query (`queries()` lists them with their parameters)."""
        if not isinstance(name, str):
            raise BadInput(f"query {name!r}: give one name, such as games_played")
        query = load_query(name)
        self.choose(variant, lineup)
        return run_query(self.cursor(), query, variant=listed(variant), lineup=listed(lineup), **parameters)

    def metric(
        self,
        name: str | Sequence[str],
        by: Sequence[str] | str | None = None,
        *,
        variant: Choice = None,
        lineup: Choice = None,
        where: str | pl.Expr | None = None,
        base: str | None = None,
        level: float = 0.95,
        **parameters: Any,
    ) -> pl.DataFrame:
        """A metric with its interval, by variant and line-up if not told otherwise (`metrics()` lists them).

        `by` given_lineup adds up the rotations of a line-up, clustered by their common game.
        `base`, a variant or a line-up as played or given, adds the differences to it (`comparison.COLUMNS`).
        `where`: only rows for which this holds, SQL text or a simple Polars expression over columns and dimensions of
        the table that the metric counts. `parameters` are the metric's own, such as `minutes` of `finished_within`.
        Several names give one table, one metric below the other, with a column `metric` in front; each takes of the
        parameters those that it has.
        Columns: those of `by`, `value low high games few capped by_rule numerator denominator method source`.
        """
        where = write_where(where)
        if not isinstance(name, str):
            chosen: dict[str, Any] = {"variant": variant, "lineup": lineup, "where": where, "base": base}
            return measure_several(
                listed(name) or [], parameters, lambda one, own: self.metric(one, by, level=level, **chosen, **own)
            )
        metric, names, cells, held = self.pose(name, by, variant, lineup, base)
        if held is not None:
            return compare(self.cursor(), cells, metric, names, held, level=level, where=where, **parameters)
        return measure(
            self.cursor(),
            metric,
            names,
            level=level,
            variant=listed(variant),
            lineup=listed(lineup),
            where=where,
            cells=cells,
            **parameters,
        )

    def distribution(
        self,
        name: str,
        by: Sequence[str] | str | None = None,
        *,
        variant: Choice = None,
        lineup: Choice = None,
        where: str | pl.Expr | None = None,
        level: float = 0.95,
        **parameters: Any,
    ) -> pl.DataFrame:
        """How often a metric's own number, such as the turns of a game, takes each value.

        Arguments as in `metric`. Columns: those of `by`, `at n share share_low share_high cum cum_low cum_high games`
        (`kinds.distribution`). BadInput for a metric whose rows have no number of their own.
        """
        metric, names, cells, _ = self.pose(name, by, variant, lineup)
        return kinds.distribution(
            self.cursor(), metric, names, variant=listed(variant),
            lineup=listed(lineup), where=write_where(where), level=level, cells=cells, **parameters,
        )  # fmt: skip

    def distribution_sql(
        self,
        name: str,
        by: Sequence[str] | str | None = None,
        *,
        variant: Choice = None,
        lineup: Choice = None,
        where: str | pl.Expr | None = None,
        level: float = 0.95,
        **parameters: Any,
    ) -> str:
        """One SELECT that gives the table of `distribution`, in `sql` or the DuckDB shell; arguments as there."""
        from pipeline.kinds.distribution_sql import distribution_sql

        metric, names, cells, _ = self.pose(name, by, variant, lineup)
        condition = write_where(where)
        return distribution_sql(self.cursor(), cells, metric, names, level=level, where=condition, **parameters)

    def quantiles(
        self,
        name: str,
        ps: float | Sequence[float] = (0.1, 0.5, 0.9),
        by: Sequence[str] | str | None = None,
        *,
        variant: Choice = None,
        lineup: Choice = None,
        where: str | pl.Expr | None = None,
        level: float = 0.95,
        **parameters: Any,
    ) -> pl.DataFrame:
        """Quantiles of a metric's own number with intervals, one row for each value of `by` and of `ps`.

        Arguments as in `metric`; columns as in `kinds.quantiles`.
        """
        metric, names, cells, _ = self.pose(name, by, variant, lineup)
        return kinds.quantiles(
            self.cursor(), metric, [ps] if isinstance(ps, int | float) else ps, names, variant=listed(variant),
            lineup=listed(lineup), where=write_where(where), level=level, cells=cells, **parameters,
        )  # fmt: skip

    def pose(
        self, name: str, by: Sequence[str] | str | None, variant: Choice, lineup: Choice, base: str | None = None
    ) -> tuple[Metric, Sequence[str], Sequence[RunCell], Base | None]:
        """The metric, what to split it by, the cells that answer, those of the base among them, and the base."""
        if not isinstance(name, str):
            raise BadInput(f"metric {name!r}: give one name, such as turns_per_game")
        metric = load_metric(name)
        given = listed(by)
        names = metric.default_by if given is None else given
        cells = self.choose(variant, lineup)
        if metric.seatings == "contest":  # any seating stands for its whole line-up
            chosen = {(cell.variant, cell.given) for cell in cells}
            cells = [cell for cell in self.parts if (cell.variant, cell.given) in chosen]
        if base is None:
            return metric, names, cells, None
        held = find_base(base, names, self.parts)
        return metric, names, choose_with_base(self, held, listed(variant), listed(lineup)), held

    def ask(
        self,
        name: str,
        by: Sequence[str] | str | None = None,
        *,
        variant: Choice = None,
        lineup: Choice = None,
        where: str | pl.Expr | None = None,
        base: str | None = None,
        level: float = 0.95,
        **parameters: Any,
    ) -> Answer:
        """A metric's answer, ready to pass on: `table sentence sql python command address metric`.

        Arguments as in `metric`. `dashboards.charts.of(answer)` draws it.
        """
        from pipeline.ask import Asked, answer

        if not isinstance(name, str):
            raise BadInput(f"ask takes the name of one metric, not {name!r}; metric takes several")
        split, variants, lineups = (
            None if (given := listed(choice)) is None else tuple(given) for choice in (by, variant, lineup)
        )
        condition = write_where(where)
        asked = Asked(name, split, variants, lineups, condition, base, level, tuple(parameters.items()))
        table = self.metric(name, **asked.options)
        metric, names, cells, held = self.pose(name, by, variant, lineup, base)
        sql = measure_sql(self.cursor(), cells, metric, names, base=held, level=level, where=condition, **parameters)
        return answer(self, metric, asked, table, sql)

    def deal(self, variant: str | None = None, lineup: str | None = None, *, game: int, deal: int) -> Deal:
        """One deal by its numbers, from 1; variant and line-up where the run has several.

        A notebook shows it card by card; `turns`, `moves`, `sides`, `hands(turn=7)`, `at(7)`, `chh()`, `check()`.
        """
        from pipeline.deal import Deal
        from pipeline.replay import find_deal

        return Deal(find_deal(self, game, deal, variant, lineup))

    def summary(self) -> dict[str, Any]:
        """Figures of the run: see `overview.summarise`."""
        from pipeline.overview import summarise

        return summarise(self)

    def findings(
        self, base: str | None = None, *, variant: Choice = None, lineup: Choice = None, level: float = 0.95
    ) -> pl.DataFrame:
        """What stands out: the largest differences to a base, as in `overview.findings`."""
        from pipeline.overview import findings

        return findings(self, base, variant=variant, lineup=lineup, level=level)
