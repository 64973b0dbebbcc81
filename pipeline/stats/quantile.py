"""Distributions of whole numbers and their quantiles, clustered: method Q.

Every share of a distribution, at a value or up to it, is a ratio of sums over clusters (method W). A quantile's
interval is Woodruff's: the W-interval of the share at the estimate, read back through the exact histogram. A null
is larger than every number: what never happened.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline.levels import count_errors
from pipeline.stats.jackknife import t_of
from pipeline.stats.ratio import FEW_GAMES, LEAST_GAMES, Array, Estimate, Sums, estimate, wilson

NEVER = np.iinfo(np.int64).max
"""Stands for null while values are sorted."""


def distribute(
    frame: pl.DataFrame,
    column: str,
    cluster: str | Sequence[str] = "game",
    by: Sequence[str] = (),
    weight: str | None = None,
    level: float = 0.95,
    games: str | None = None,
) -> pl.DataFrame:
    """How often each value occurs, one row for each value of `by` and of the whole-numbered `column`, null the last.

    Columns: those of `by`, `at n share share_low share_high cum cum_low cum_high games`; `cum` is the share up to and
    with the value, `games` the clusters that have rows. `weight` names a column: how many rows a row stands for.
    `games`: clusters are blocks of games, and this column says how many games there are for the row's values of `by`.
    """
    clusters = [cluster] if isinstance(cluster, str) else list(cluster)
    found = _add_up(frame, column, clusters, by, weight, games)
    shares, cums = _shares(found, level, games is not None)
    columns = {"share": shares, "cum": cums}
    ends = [
        pl.Series(name + end, values, nan_to_null=True)
        for name, one in columns.items()
        for end, values in (("", one.value), ("_low", one.low), ("_high", one.high))
    ]
    return (
        found.select(*by, pl.col("at").replace(NEVER, None), "n", "games")
        .with_columns(ends)
        .select(*by, "at", "n", *(one.name for one in ends), "games")
    )


def check_shares(ps: object) -> None:
    """BadInput unless these are shares strictly between 0 and 1."""
    if isinstance(ps, str) or not isinstance(ps, Sequence):
        raise BadInput(f"quantiles {ps!r}: give a list of shares between 0 and 1, such as [0.1, 0.5, 0.9]")
    for p in ps:
        if not isinstance(p, (int, float)) or not 0 < p < 1:
            raise BadInput(f"quantile {p}: give a share between 0 and 1")


def quantile(
    frame: pl.DataFrame,
    column: str,
    ps: Sequence[float] = (0.1, 0.5, 0.9),
    cluster: str | Sequence[str] = "game",
    by: Sequence[str] = (),
    weight: str | None = None,
    level: float = 0.95,
    games: str | None = None,
) -> pl.DataFrame:
    """Quantiles of a whole-numbered column on any frame, one row for each value of `by` and each p of `ps`.

    Columns: those of `by`, `p value low high never low_never high_never n below games few`. The value is the smallest
    at which at least a share p lies at or below; null and `never` where that is beyond all numbers. `n` rows, of which
    `below` lie at or below the value. Without an interval for fewer than LEAST_GAMES clusters; `few` below FEW_GAMES.
    `weight` and `games` as in `distribute`.
    """
    clusters = [cluster] if isinstance(cluster, str) else list(cluster)
    check_shares(ps)
    found = _add_up(frame, column, clusters, by, weight, games)
    cums = _shares(found, level, games is not None)[1]
    keyed = found.select(*by, "at", "games", "total", "up_to").with_columns(
        pl.Series("value", cums.value), pl.Series("se", cums.se)
    )
    parts = keyed.partition_by(list(by), maintain_order=True) if by else [keyed]
    rows = [
        {**part.row(0, named=True), **_read_back(part, p, level), "p": p} for part in parts if part.height for p in ps
    ]
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        **{name: found.schema[name] for name in by}, "p": pl.Float64, "value": pl.Int64, "low": pl.Int64,
        "high": pl.Int64, "never": pl.Boolean, "low_never": pl.Boolean, "high_never": pl.Boolean,
        "total": pl.Int64, "below": pl.Int64, "games": pl.Int64, "few": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame([[row[name] for name in schema] for row in rows], schema=schema, orient="row").rename(
        {"total": "n"}
    )


def _read_back(part: pl.DataFrame, p: float, level: float) -> dict[str, object]:
    """Quantile p of one distribution with Woodruff's interval."""
    at, up_to = part["at"].to_numpy(), part["up_to"].to_numpy().astype(float)
    rows, games = float(part["total"][0]), int(part["games"][0])

    def value_at(share: float) -> int:
        return int(at[min(int(np.searchsorted(up_to, share * rows * (1 - 1e-12))), len(at) - 1)])

    value = value_at(p)
    place = int(np.searchsorted(at, value))
    share, se = float(part["value"][place]), float(part["se"][place])
    effective = min(share * (1 - share) / se**2, rows) if 0 < share < 1 and se > 0 else min(games, rows)
    low, high = (value_at(float(end)) for end in wilson(p * effective, effective, level))
    enough = games >= LEAST_GAMES
    shown = {"value": value, "low": low if enough else None, "high": high if enough else None}
    return {
        **{name: None if one == NEVER else one for name, one in shown.items()},
        "never": value == NEVER,
        "low_never": shown["low"] == NEVER,
        "high_never": shown["high"] == NEVER,
        "below": int(up_to[place]),
        "few": games < FEW_GAMES,
    }


def _add_up(
    frame: pl.DataFrame,
    column: str,
    clusters: Sequence[str],
    by: Sequence[str],
    weight: str | None,
    games: str | None,
) -> pl.DataFrame:
    """One row for each value of `by` and of the column, in order: sums of shares at it and up to it over clusters.

    Columns: those of `by`, `at n total up_to units games nn`, `kk kn` of the share at the value, `cc cn` up to it.
    Squares of what a cluster has up to a value grow, step by step, by what each value adds.
    """
    for name in (column, *clusters, *by, *(one for one in (weight, games) if one)):
        if name not in frame.columns:
            raise BadInput(f"column '{name}': the frame has {', '.join(frame.columns)}")
    keys = [*by, *clusters]
    count = pl.col(weight).sum() if weight else pl.len()
    units = (
        frame.group_by([*keys, pl.col(column).cast(pl.Int64).fill_null(NEVER).alias("at")])
        .agg(count.cast(pl.Int64).alias("n"), (pl.col(games).max() if games else pl.lit(0)).alias("games"))
        .filter(pl.col("n") > 0)
        .sort([*keys, "at"])
    )
    starts = units.select(pl.struct(keys).rle_id().alias("unit"))["unit"].to_numpy()
    n = units["n"].to_numpy().astype(float)
    totals = np.bincount(starts, n) if len(n) else n
    up_to = np.cumsum(n) - np.concatenate([[0.0], np.cumsum(totals)])[starts]
    whole = totals[starts] if len(n) else n
    summed = (
        units.with_columns(
            pl.Series("kk", n * n),
            pl.Series("kn", n * whole),
            pl.Series("cc", up_to**2 - (up_to - n) ** 2),
            pl.Series("square", np.where(up_to == whole, whole**2, 0.0)),
            pl.Series("last", (up_to == whole).astype(np.int64)),
        )
        .group_by([*by, "at"])
        .agg(pl.col("n", "kk", "kn", "cc", "square", "last").sum(), pl.col("games").max())
        .sort([*by, "at"])
    )

    def over(expression: pl.Expr) -> pl.Expr:
        return expression.over(list(by)) if by else expression

    return summed.with_columns(
        over(pl.col("n").sum()).alias("total"),
        over(pl.col("last").sum()).alias("units"),
        over(pl.min_horizontal(pl.col("games").max(), pl.col("n").sum()) if games else pl.col("last").sum()).alias(
            "games"
        ),
        over(pl.col("square").sum()).alias("nn"),
        over(pl.col("n").cum_sum()).alias("up_to"),
        over(pl.col("cc").cum_sum()).alias("cc"),
        over(pl.col("kn").cum_sum()).alias("cn"),
    )


def _shares(found: pl.DataFrame, level: float, blocked: bool) -> tuple[Estimate, Estimate]:
    """Shares at each value and up to it, by method W."""

    def shares(k: str, kk: str, kn: str) -> Estimate:
        sums = Sums(*(_floats(found, name) for name in ("units", k, "total", kk, kn, "nn")))
        return _of_blocks(sums, _floats(found, "games"), level) if blocked else estimate(sums, "W", level)

    return shares("n", "kk", "kn"), shares("up_to", "cc", "cn")


def _of_blocks(sums: Sums, games: Array, level: float) -> Estimate:
    """Method W from sums over blocks of games: fewer units, so t for the normal; what is certain goes by games."""
    plain, z = estimate(sums, "R", level), count_errors(level)
    se = plain.se * t_of(z, sums.games - 1) / z
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = (plain.value > 0) & (plain.value < 1) & (se > 0)
        rows = np.where(inside, np.minimum(plain.value * (1 - plain.value) / se**2, sums.n), games)
    low, high = wilson(plain.value * rows, rows, level)
    enough = games >= LEAST_GAMES
    return Estimate(plain.value, np.where(enough, low, np.nan), np.where(enough, high, np.nan), se, games)


def _floats(frame: pl.DataFrame, name: str) -> Array:
    return np.asarray(frame[name].cast(pl.Float64).to_numpy())
