"""Metrics by plain arithmetic, each from the finest table that knows it: what the pipeline's are held against."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import polars as pl

from engine import log
from pipeline.run import Run


def per_game(rows: pl.DataFrame, value: pl.Expr) -> dict[int, float]:
    return dict(rows.group_by("game").agg(value.alias("n")).select("game", "n").iter_rows())


def tables(run: Run, variant: str, lineup: str) -> dict[str, pl.DataFrame]:
    return {table: run.frame(table, variant, lineup).collect() for table in log.TABLES}


def slow_units(name: str, there: dict[str, pl.DataFrame]) -> tuple[dict[int, float], dict[int, float]]:
    """Numerator and denominator of each game, each from the finest table that knows it."""
    turns, deals, sides, piles = (there[table] for table in ("turns", "deals", "sides", "piles"))
    one = pl.lit(1).first()
    thrown = piles.filter(pl.col("frozen_by") == "wild")
    ways = {
        "turns_per_game": (per_game(turns, pl.len()), per_game(turns, one)),
        "deals_per_game": (per_game(deals, pl.len()), per_game(deals, one)),
        "turns_per_deal": (per_game(turns, pl.len()), per_game(deals, pl.len())),
        "frozen_turn_share": (per_game(turns, pl.col("frozen_by").is_not_null().sum()), per_game(turns, pl.len())),
        "frozen_deal_share": (
            per_game(piles.filter(pl.col("frozen_turn").is_not_null()), pl.col("deal").n_unique()),
            per_game(deals, pl.len()),
        ),
        "freezes_per_deal": (per_game(piles, pl.col("frozen_turn").is_not_null().sum()), per_game(deals, pl.len())),
        "canastas_per_side_deal": (
            per_game(sides, (pl.col("natural_canastas") + pl.col("mixed_canastas")).sum()),
            per_game(sides, pl.len()),
        ),
        "takes_per_deal": (per_game(turns, pl.col("took").is_not_null().sum()), per_game(deals, pl.len())),
        "take_rate": (per_game(turns, pl.col("took").is_not_null().sum()), per_game(turns, pl.col("could_take").sum())),
        "out_rate": (
            per_game(deals, pl.col("ending").is_in(["out", "concealed", "special"]).sum()),
            per_game(deals, pl.len()),
        ),
        "points_per_side_deal": (per_game(sides, pl.col("score").sum()), per_game(sides, pl.len())),
        "rounds_per_deal": (
            {game: len(seats) / 4 for game, seats in turns.group_by("game").agg("seat").iter_rows()},
            per_game(deals, pl.len()),
        ),
        "concealed_rate": (per_game(deals, (pl.col("ending") == "concealed").sum()), per_game(deals, pl.len())),
        "special_rate": (per_game(deals, (pl.col("ending") == "special").sum()), per_game(deals, pl.len())),
        "open_rate": (
            per_game(turns.filter("opened").unique(["game", "deal", "side"]), pl.len()),
            per_game(sides, pl.len()),
        ),
        "any_canasta_rate": (
            per_game(sides.filter((pl.col("natural_points") > 0) | (pl.col("mixed_points") > 0)), pl.len()),
            per_game(sides, pl.len()),
        ),
        "cards_per_take": (per_game(sides, pl.col("taken_cards").sum()), per_game(sides, pl.col("takes").sum())),
        # Frozen for somebody who is not the last one: turns that begin frozen by a card, counted where they happen.
        "freeze_length": (
            per_game(turns, pl.col("frozen_by").is_not_null().sum()),
            per_game(piles, pl.col("frozen_by").is_not_null().sum()),
        ),
        "freeze_won_rate": (
            per_game(thrown.filter(pl.col("taken_seat") % 2 == pl.col("frozen_seat") % 2), pl.len()),
            per_game(thrown, pl.col("taken_seat").is_not_null().sum()),
        ),
        "freeze_left_rate": (per_game(thrown, pl.col("taken_seat").is_null().sum()), per_game(thrown, pl.len())),
        "feed_rate": (
            per_game(turns.filter(pl.col("had_other")), pl.col("in_theirs").sum()),
            per_game(turns.filter(pl.col("had_other")), pl.len()),
        ),
        "biggest_take_wins": slow_biggest_takes(turns, sides),
        "freeze_ended_rate": (
            per_game(piles.filter(pl.col("frozen_turn").is_not_null()), pl.col("taken_seat").is_null().sum()),
            per_game(piles, pl.col("frozen_turn").is_not_null().sum()),
        ),
        "takes_per_side_deal": (per_game(turns, pl.col("took").is_not_null().sum()), per_game(sides, pl.len())),
        "freezes_per_side_deal": (
            per_game(piles, pl.col("frozen_seat").is_not_null().sum()),
            per_game(sides, pl.len()),
        ),
        "take_margin": slow_take_margins(sides),
        "lead_changes": slow_lead_changes(sides),
    }
    return ways[name]


def slow_biggest_takes(turns: pl.DataFrame, sides: pl.DataFrame) -> tuple[dict[int, float], dict[int, float]]:
    scores: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for game, deal, side, score in sides.select("game", "deal", "side", "score").iter_rows():
        scores[game, deal][side] = score
    takes: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for game, deal, side, took in turns.drop_nulls("took").select("game", "deal", "side", "took").iter_rows():
        takes[game, deal].append((took, side))
    won: dict[int, float] = defaultdict(float)
    there: dict[int, float] = defaultdict(float)
    for (game, deal), some in takes.items():
        biggest = {side for took, side in some if took == max(some)[0]}
        if len(biggest) == 1:
            best = [side for side, score in scores[game, deal].items() if score == max(scores[game, deal].values())]
            there[game] += 1
            won[game] += (biggest <= set(best)) / len(best)
    return won, there


def slow_take_margins(sides: pl.DataFrame) -> tuple[dict[int, float], dict[int, float]]:
    """Each side's margin as often as it took."""
    both = sides.join(sides, on=["game", "deal"], suffix="_other").filter(pl.col("side") != pl.col("side_other"))
    margins = (pl.col("takes") * (pl.col("score") - pl.col("score_other"))).sum()
    return per_game(both, margins), per_game(sides, pl.col("takes").sum())


def slow_leaders(sides: pl.DataFrame) -> dict[int, list[int | None]]:
    """Leader after each deal of a game."""
    leaders: dict[int, list[int | None]] = defaultdict(list)
    for (game, _), after in sides.sort("game", "deal").group_by("game", "deal", maintain_order=True):
        best = after.filter(pl.col("score_after") == after["score_after"].max())["side"].to_list()
        leaders[game].append(best[0] if len(best) == 1 else None)
    return leaders


def slow_lead_changes(sides: pl.DataFrame) -> tuple[dict[int, float], dict[int, float]]:
    changes = {}
    for game, leaders in slow_leaders(sides).items():
        strict = [side for side in leaders if side]
        changes[game] = sum(one != two for one, two in pairwise(strict))
    return changes, dict.fromkeys(changes, 1)
