"""`canasta variants`, `strategies`, `replay` and `check`: what there is, told again, and judged."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from canasta_command import printed, refused

from engine.rules import load_variant, variant_names
from engine.strategies import strategy_names
from pipeline.cli import main
from pipeline.simulation import simulate


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run of two cells, 20 games each."""
    folder = tmp_path_factory.mktemp("cli") / "two"
    simulate({"games": 20, "lineups": ["naive", "random"], "seed": 3}, folder)
    return folder


# ------------------------------------------------------------------------------------------------ variants, strategies


def test_variants_are_listed_with_confidence_and_whether_they_can_be_played(capsys):
    rows = {row["variant"]: row for row in json.loads(printed(capsys, "variants", "--format", "json"))}
    assert tuple(rows) == variant_names()
    assert (rows["classic2"]["confidence"], rows["classic2"]["playable"], rows["classic2"]["base"]) == (
        "H",
        "yes",
        "classic4",
    )
    assert "hand_size=15" in rows["classic2"]["changes"]
    assert rows["samba"]["playable"] == "yes"
    lines = printed(capsys, "variants").splitlines()
    assert [line.split()[:2] for line in lines[1 : 1 + len(rows)]] == [
        [name, row["confidence"]] for name, row in rows.items()
    ]
    assert max(map(len, lines)) <= 80
    assert "Known: H two sources or a rules body, M one good source, L partly assumed." in lines
    unplayed = [name for name, row in rows.items() if row["playable"] != "yes"]
    assert (f"All {len(rows)} can be played." in lines) == (not unplayed)


def test_a_variant_is_shown_rule_by_rule_with_what_it_changes(capsys):
    rows = {row["rule"]: row for row in json.loads(printed(capsys, "variants", "classic2", "--format", "json"))}
    assert (rows["hand_size"]["value"], rows["hand_size"]["in classic4"]) == ("15", "11")
    assert rows["packs"]["in classic4"] is None
    assert all(row["meaning"] for row in rows.values())
    differing = [row["in classic4"] is not None for row in rows.values()]
    assert differing == sorted(differing, reverse=True)
    text = printed(capsys, "variants", "classic4", "--set", "canastas_out=2")
    assert text.startswith("classic4.canastas_out-2: ")
    assert "base: classic4\n" in text
    assert text.split("Rules that are not those of classic4:\n\n")[1].startswith(
        "canastas_out = 2  (not 1)\n    Canastas "
    )


def test_a_variant_shows_its_base_source_note_and_what_the_marks_mean(capsys):
    for name in variant_names():
        variant = load_variant(name)
        lines = printed(capsys, "variants", name).splitlines()
        assert max(map(len, lines)) <= 80, name
        told = " ".join(" ".join(lines).split())
        assert f"confidence: {variant.confidence} (" in told
        for key in ("base", "source", "note"):
            given = getattr(variant, key)
            assert (f"{key}: {given}" in told) if given else (f" {key}: " not in told), (name, key)
        if variant.confidence == "L":
            assert variant.note, name  # says what is assumed


def test_a_rule_changed_by_hand_is_neither_sourced_nor_known(capsys):
    told = " ".join(printed(capsys, "variants", "classic4", "--set", "sequences=yes").split())
    assert "changed by hand: sequences=yes source: docs/rules.md §1, without what is changed" in told
    assert "Official Laws agree (of classic4 as it is)" in told
    assert "(two sources or a rules body) for classic4, none for what is changed" in told
    assert "warning: canastas of type sequence may be made and pay no bonus" in told
    assert "by hand" not in printed(capsys, "variants", "samba")


def test_a_file_is_compared_with_the_file_it_builds_on(capsys, tmp_path):
    (tmp_path / "first.toml").write_text('base = "classic4"\nhand_size = 13\n', encoding="utf-8")
    (tmp_path / "more.toml").write_text('base = "first.toml"\ncanastas_out = 2\n', encoding="utf-8")
    text = printed(capsys, "variants", str(tmp_path / "more.toml"))
    assert "Rules that are not those of first:\n\ncanastas_out = 2  (not 1)" in text
    assert "hand_size=13" in text
    same = tmp_path / "same.toml"
    same.write_text('base = "classic4"\n', encoding="utf-8")
    assert "All rules are those of classic4." in printed(capsys, "variants", str(same))


def test_strategies_are_listed_and_shown_weight_by_weight(capsys):
    listed = json.loads(printed(capsys, "strategies", "--format", "json"))
    assert tuple(row["strategy"] for row in listed) == strategy_names()
    assert all(row["description"] for row in listed)
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "strategies", "safe", "--format", "csv"))))
    assert {row["decision"] for row in rows} == {"draw", "melds", "discard", "answer"}
    assert "feed_open_meld" in {row["weight"] for row in rows}
    assert "most likely dead" in printed(capsys, "strategies", "safe")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["variants", "clasic4"], "did you mean classic4"),
        (["variants", "classic4", "--set", "hand_size=400"], "hand_size=400"),
        (["variants", "--set", "hand_size=13"], "--set needs the variant"),
        (["strategies", "saffe"], "did you mean safe"),
        (["variants", "pennies"], "did you mean pennies_from_heaven?"),
        (["variants", "hand"], "did you mean hand_and_foot or hand_and_foot_pagat?"),
        (["strategies", "build"], "did you mean builder?"),
    ],
)
def test_what_does_not_exist_is_refused(capsys, words, told):
    assert told in refused(capsys, *words)


# ------------------------------------------------------------------------------------------------ replay


def test_a_deal_is_told_from_the_hands_to_the_scores(run, capsys):
    text = printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive")
    assert text.startswith("classic4 · naive · game 2, deal 1 · seed 3\n")
    for words in (
        "dealer: seat",
        "seat 1 is dealt",
        "turn 1 · seat",
        "discards",
        "melds",
        "the deal ends:",
        "score after",
    ):
        assert words in text


def test_a_deal_as_json_has_every_row_of_it(run, capsys):
    import polars as pl

    from pipeline.dataset import files

    told = json.loads(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "json"))
    for table in ("moves", "turns", "sides"):
        rows = pl.read_parquet(files(run, table, lineup="naive")).filter(game=2, deal=1)
        assert len(told[table]) == len(rows)
    assert [turn["turn"] for turn in told["turns"]] == list(range(1, len(told["turns"]) + 1))
    assert [side["side"] for side in told["sides"]] == [1, 2]
    assert (told["game"], told["deal"], told["variant"], told["seed"]) == (2, 1, "classic4", 3)
    assert len(told["hands"]) == 4


def test_a_deal_as_a_hand_history_is_legal_and_ends_with_the_logged_scores(run, tmp_path, capsys):
    path = tmp_path / "deal.chh"
    path.write_text(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "chh"))
    told = json.loads(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "json"))
    verdict = json.loads(printed(capsys, "check", str(path), "--format", "json"))
    assert verdict["legal"]
    assert verdict["ending"] == told["ending"]
    assert verdict["scores"] == [side["score_after"] for side in told["sides"]]
    assert '1 = "naive"' in path.read_text()


def test_a_hand_history_of_rules_of_the_users_own_spells_them_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text('base = "classic2"\nhand_size = 13\n')
    simulate({"games": 2, "variants": ["house.toml"], "lineups": ["naive"]}, "run")
    Path("house.toml").unlink()
    Path("deal.chh").write_text(printed(capsys, "replay", "run", "1", "1", "--format", "chh"))
    assert "hand_size = 13" in Path("deal.chh").read_text()
    assert ": legal" in printed(capsys, "check", "deal.chh")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["2", "1"], "name one by variant and lineup (--variant, --lineup): classic4 naive, classic4 random"),
        (["21", "1", "--lineup", "naive"], "game 21 is not in the run; classic4 naive has games 1 to 20"),
        (["0", "1", "--lineup", "naive"], "game 0 is not in the run"),
        (["2", "99", "--lineup", "naive"], "game 2 has no deal 99; it has deals 1 to"),
        (["2", "1", "--lineup", "safe"], "safe"),
        (["2", "1", "--variant", "classic2"], "classic2"),
    ],
)
def test_a_deal_that_is_not_there_is_refused_with_what_is(run, capsys, words, told):
    assert told in refused(capsys, "replay", str(run), *words)


def test_a_replay_of_no_run_is_refused(tmp_path, capsys):
    assert "is no run" in refused(capsys, "replay", str(tmp_path / "none"), "1", "1")


def test_of_many_cells_a_refusal_names_a_few(tmp_path, capsys):
    folder = tmp_path / "many"
    simulate({"games": 1, "lineups": ["naive", "random", "naive~random", "random+naive~naive"]}, folder)
    told = refused(capsys, "replay", str(folder), "1", "1")
    assert "classic4 naive~random, classic4 random~naive, and 2 more" in told
    assert told.strip().endswith(", and 2 more")


# ------------------------------------------------------------------------------------------------ check


LEGAL = """format = "chh/1"
variant = "classic4"
[position]
turn = 1
drawn = true
hands = { 1 = "7H 7D 7C KS KD" }
melds = [["4C 4D 4H"], []]
pile = "9H"
"""


def test_histories_are_judged_and_the_exit_code_is_the_answer(tmp_path, capsys):
    good, bad, broken = tmp_path / "good.chh", tmp_path / "bad.chh", tmp_path / "broken.chh"
    good.write_text(LEGAL.replace("[position]", 'actions = ["1 meld 7H 7D 7C", "1 discard KS"]\n[position]'))
    bad.write_text(LEGAL.replace("[position]", 'actions = ["1 meld 7H 7D", "1 discard KS"]\n[position]'))
    broken.write_text("format = ")
    assert ": legal" in printed(capsys, "check", str(good))
    text = printed(capsys, "check", str(good), str(bad), code=1)
    assert f"{bad}: 1 fault" in text
    assert main(["check", str(good), str(broken), "--format", "json"]) == 2
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["file"] for result in results] == [str(good), str(broken)]
    assert results[0]["legal"] is True
    assert results[1]["error"]


def test_actions_below_the_position_are_told_where_they_belong(tmp_path, capsys):
    path = tmp_path / "deal.chh"
    path.write_text(LEGAL + 'actions = ["1 discard KS"]\n')
    assert main(["check", str(path)]) == 2
    assert "unknown key 'actions' in [position]; move it above [position]" in capsys.readouterr().err


def test_an_unreadable_history_is_told_on_standard_error(tmp_path, capsys):
    assert main(["check", str(tmp_path / "none.chh")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "none.chh" in captured.err
    assert captured.err.count("\n") == 1
