"""Which module answers a metric that is no plain ratio of sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import polars as pl

from pipeline.cells import RunCell
from pipeline.kinds.distribution import measure_quantile
from pipeline.kinds.mirror import measure_mirror
from pipeline.kinds.spread import measure_spread
from pipeline.levels import check_level
from pipeline.metric import Metric


def measure_kind(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    variant: list[str] | None = None,
    lineup: list[str] | None = None,
    where: str | None = None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """A metric of kind Q, S or P in the columns of `measure`.

    Q has the columns `never high_never` beside them. Of means over mirror blocks `games` counts blocks. `cells` are
    those that `variant` and `lineup` choose: where given and their roll-ups fit, these answer, by 64 blocks of games.
    """
    check_level(level)
    measure_own = {"Q": measure_quantile, "S": measure_spread, "P": measure_mirror}[metric.interval]
    return measure_own(
        connection, metric, by, level=level, variant=variant, lineup=lineup, where=where, cells=cells, **given
    )
