"""Freezes one by one: where the rules end one before a take, a pile has several (parameter `freeze_ends`)."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from pipeline.audit import audit_run
from pipeline.metric import CELL
from pipeline.run import Run, open_run
from pipeline.simulation import simulate

KEYS = ["game", "deal"]


@pytest.fixture(scope="module", params=["turn", "round", "taken"])
def run(request, tmp_path_factory) -> Run:
    folder: Path = tmp_path_factory.mktemp("freezes") / "run"
    plan = {"variants": ["classic4"], "lineups": ["freezer"], "games": 40, "seed": 5}
    simulate({**plan, "set": {"freeze_ends": request.param}}, folder)
    return open_run(folder)


def freezes_of(run: Run) -> list[tuple[int, int, int, str, int, str]]:
    """Game, deal, turn that froze, by what, turns that met it, how it ended: told from the turns and their discards."""
    found = []
    for (game, deal), turns in run.turns().collect().group_by(KEYS, maintain_order=True):
        rows = turns.sort("turn").to_dicts()
        frozen, start, by = rows[0]["frozen_by"] is not None, 0, rows[0]["frozen_by"]
        for row in rows:
            if frozen and row["frozen_by"] is None:
                found.append((game, deal, start, by, row["turn"] - 1 - start, "over"))
                frozen = False
            if frozen and row["took"]:
                found.append((game, deal, start, by, row["turn"] - start, "take"))
                frozen = False
            if not frozen and row["discard"] and row["discard"][0] in "2J" and row["discard"] not in JACKS:
                frozen, start, by = True, row["turn"], "wild"
        if frozen:
            found.append((game, deal, start, by, rows[-1]["turn"] - start, "deal"))
    return found


JACKS = ("JC", "JD", "JH", "JS")


def test_every_freeze_is_told_with_its_length_and_its_end(run):
    told = run.query("freeze_histories", most=10**6, first="played")
    rows = told.select("game", "deal", "frozen_turn", "frozen_by", "turns", "ending").rows()
    assert sorted(rows) == sorted(freezes_of(run))


def test_numbers_of_freezes_agree_with_those_of_the_games(run):
    [(freezes, turns, deals)] = run.games().select("freezes", "frozen_turns", "deals").sum().collect().rows()
    lengths = run.metric("freeze_length", CELL)
    assert (lengths["numerator"].item(), lengths["denominator"].item()) == (turns, freezes)
    assert run.distribution("freeze_length", CELL)["n"].sum() == freezes
    causes = run.metric("freezes_per_deal", [*CELL, "cause"])
    assert causes["numerator"].sum() == freezes
    assert set(causes["denominator"]) == {deals}


def test_shares_of_freezes_are_of_all_that_a_wild_card_made(run):
    found = pl.DataFrame(freezes_of(run), schema=["game", "deal", "turn", "by", "turns", "ending"], orient="row")
    wild = found.filter(by="wild")
    left, ended = (run.metric(name, CELL) for name in ("freeze_left_rate", "freeze_ended_rate"))
    assert left["denominator"].item() == wild.height
    assert left["numerator"].item() == wild.filter(ending="deal").height
    assert ended["denominator"].item() == found.height
    won = run.metric("freeze_won_rate", CELL)["denominator"].sum()
    assert won == wild.filter(ending="take").height


def test_audits_know_every_freeze(run):
    report = audit_run(run, ["side_facts", "pile_facts", "rollups"])
    assert report.clean, report.verdict
