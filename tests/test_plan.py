"""Plans: files and options into cells, cells into shards, and what is refused before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BadInput
from pipeline.plan import Plan, make_plan, read_plan

PLANS = Path(__file__).parents[1] / "data" / "plans"


def keys(plan: Plan) -> list[tuple[str, str]]:
    return [cell.key for cell in plan.cells]


def test_an_empty_plan_is_classic_with_the_safe_strategy():
    plan = make_plan({})
    assert keys(plan) == [("classic4", "safe")]
    assert (plan.seed, plan.games) == (1, 10_000)


def test_cells_are_all_variants_with_all_line_ups():
    plan = make_plan({"variants": ["classic4", "classic2"], "lineups": ["safe", "naive"], "games": 5})
    assert keys(plan) == [("classic4", "safe"), ("classic4", "naive"), ("classic2", "safe"), ("classic2", "naive")]
    assert plan.games == 20


def test_line_ups_are_mirrored_unless_told_otherwise():
    assert keys(make_plan({"lineups": ["safe~naive"]})) == [("classic4", "safe~naive"), ("classic4", "naive~safe")]
    assert keys(make_plan({"lineups": ["safe~naive"], "mirror": False})) == [("classic4", "safe~naive")]


def test_all_rotations_share_the_group_of_the_line_up_as_given():
    plan = make_plan({"lineups": ["safe~naive", "random"]})
    assert [cell.group for cell in plan.cells] == ["safe~naive", "safe~naive", "random"]


def test_three_sides_rotate_three_times():
    plan = make_plan({"variants": ["classic3_cutthroat"], "lineups": ["safe~naive~random"]})
    assert [cell.slug for cell in plan.cells] == ["safe~naive~random", "naive~random~safe", "random~safe~naive"]


def test_rotations_of_one_line_up_given_twice_collapse():
    plan = make_plan({"lineups": ["safe~naive", "naive~safe", "safe~safe", "safe"]})
    assert [cell.slug for cell in plan.cells] == ["safe~naive", "naive~safe", "safe"]


def test_a_line_up_has_a_strategy_for_every_seat():
    (cell, _) = make_plan({"lineups": ["safe+hoarder~naive"]}).cells
    assert [strategy.name for strategy in cell.lineup] == ["safe", "naive", "hoarder", "naive"]


def test_changes_can_be_made_to_one_variant_or_to_all():
    plan = make_plan({"variants": ["classic4", {"base": "classic4", "hand_size": 15}], "set": {"canastas_out": 2}})
    assert [cell.variant.rules.hand_size for cell in plan.cells] == [11, 15]
    assert [cell.variant.rules.canastas_out for cell in plan.cells] == [2, 2]
    assert len({cell.variant.slug for cell in plan.cells}) == 2


def test_single_cells_can_have_their_own_number_of_games():
    plan = make_plan({"games": 10, "lineups": ["safe"], "cells": [{"lineup": "naive", "games": 30}]})
    assert [(cell.slug, cell.games) for cell in plan.cells] == [("safe", 10), ("naive", 30)]
    alone = make_plan({"cells": [{"variant": "classic2", "set": {"hand_size": 13}, "games": 7}]})
    assert [(cell.variant.rules.hand_size, cell.games) for cell in alone.cells] == [(13, 7)]


def test_a_variant_file_of_the_user_is_as_good_as_a_built_in_one(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "classic4"\ntarget = 3000\n')
    (cell,) = make_plan({"variants": [str(mine)]}).cells
    assert (cell.variant.slug, cell.variant.rules.target) == ("mine", 3000)


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_plan_files_that_come_with_the_lab_can_be_used(path):
    assert make_plan(read_plan(path)).games > 0


def test_the_demo_plays_at_least_twenty_thousand_games_over_several_variants_and_line_ups():
    plan = make_plan(read_plan(PLANS / "demo.toml"))
    assert plan.games >= 20_000
    assert len({cell.variant.slug for cell in plan.cells}) > 1
    assert len({cell.group for cell in plan.cells}) > 1


# ------------------------------------------------------------------------------------------------ shards


def spans(plan: Plan) -> list[tuple[str, int, int, int]]:
    return [(shard.cell.slug, shard.number, shard.first_game, shard.games) for shard in plan.shards()]


def test_shards_take_turns_over_the_cells_and_the_last_is_short():
    plan = make_plan({"games": 250, "lineups": ["safe", "naive"], "shard_games": 100}).settled()
    assert spans(plan) == [
        ("safe", 1, 1, 100), ("naive", 1, 1, 100),
        ("safe", 2, 101, 100), ("naive", 2, 101, 100),
        ("safe", 3, 201, 50), ("naive", 3, 201, 50),
    ]  # fmt: skip


def test_shards_cover_every_game_of_every_cell_once():
    plan = make_plan(
        {"games": 1_234, "shard_games": 100, "cells": [{"lineup": "naive", "games": 77}], "lineups": ["safe"]}
    )
    games = {cell.slug: [] for cell in plan.cells}
    for shard in plan.settled().shards():
        games[shard.cell.slug] += range(shard.first_game, shard.first_game + shard.games)
    assert games == {"safe": list(range(1, 1_235)), "naive": list(range(1, 78))}


@pytest.mark.parametrize(("games", "size"), [(1, 250), (3_000, 250), (10_000, 650), (1_000_000, 8_000), (10**8, 8_000)])
def test_the_size_of_shards_follows_from_the_number_of_games_alone(games, size):
    plan = make_plan({"games": games})
    assert plan.settled().shard_games == size
    assert len(list(plan.settled().shards())) >= min(games // 250, 15)


def test_a_run_that_is_extended_keeps_its_size_of_shards():
    assert make_plan({"games": 1_000_000}).settled(300).shard_games == 300
    assert make_plan({"games": 1_000_000, "shard_games": 500}).settled(300).shard_games == 500


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variants": ["clasic4"]}, ["unknown variant 'clasic4'", "classic4"]),
        ({"variants": ["nowhere.toml"]}, ["nowhere.toml"]),
        ({"variants": [{"base": "classic4", "untakeable_tops": ["wild"]}]}, ["lacks black3,red3"]),
        ({"variants": [{"base": "classic4", "hand_sise": 15}]}, ["hand_sise"]),
        ({"variants": [{"base": "classic4", "hand_size": 99}]}, ["hand_size=99"]),
        ({"set": {"canastas_out": "many"}}, ["canastas_out=many"]),
        ({"lineups": ["saffe"]}, ["unknown strategy 'saffe'", "safe"]),
        ({"lineups": ["safe~naive~random"]}, ["safe~naive~random", "2"]),
        ({"lineups": ["safe+naive+safe~safe"]}, ["3 partners"]),
        ({"lineups": ["none.py:careful"]}, ["none.py"]),
        ({"lineups": []}, ["no cells"]),
        ({"variants": []}, ["no cells"]),
        ({"games": 0}, ["games=0"]),
        ({"games": "lots"}, ["games='lots'"]),
        ({"seed": -1}, ["seed=-1"]),
        ({"seed": 2**63}, ["seed="]),
        ({"shard_games": 0}, ["shard_games=0"]),
        ({"games": True}, ["games=True"]),
        ({"games": 10.0}, ["games=10.0"]),
        ({"seed": False}, ["seed=False"]),
        ({"mirror": 1}, ["mirror=1"]),
        ({"set": 3}, ["set=3"]),
        ({"cells": [{"games": True}]}, ["cells.0.games=True"]),
        ({"gmaes": 10}, ["unknown key gmaes", "games"]),
        ({"cells": [{"strategy": "safe"}]}, ["unknown key cells.0.strategy", "lineup"]),
        ({"games": 5, "lineups": ["safe"], "cells": [{"lineup": "safe", "games": 6}]}, ["safe", "5", "6"]),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_used_is_refused_in_one_line(options, words):
    with pytest.raises(BadInput) as refused:
        make_plan(options)
    message = str(refused.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_two_files_of_one_name_with_different_rules_are_refused(tmp_path):
    for folder, target in (("a", 3000), ("b", 4000)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(f'base = "classic4"\ntarget = {target}\n')
    with pytest.raises(BadInput, match="two different cells are called mine safe"):
        make_plan({"variants": [str(tmp_path / "a" / "mine.toml"), str(tmp_path / "b" / "mine.toml")]})


@pytest.mark.parametrize(
    ("text", "word"),
    [("games = ", "no readable TOML"), ("games = 1\ngames = 2", "no readable TOML"), (None, "no plan file")],
)
def test_a_plan_file_that_is_missing_or_no_toml_is_refused(tmp_path, text, word):
    path = tmp_path / "plan.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInput, match=word):
        read_plan(path)


def test_a_folder_is_no_plan_file(tmp_path):
    with pytest.raises(BadInput, match="no readable TOML"):
        read_plan(tmp_path)


SAFE = """
from engine.decision import strategy

@strategy(kind="discard")
def safe(table, hand, rules, weights, plan):
    "Throws the lowest card it holds."
    for card in range(53):
        if hand.cards[card] > 0:
            return card
    return -1
"""


@pytest.mark.parametrize(
    "lineups", [["MINE~safe"], ["MINE+safe~naive"], ["safe", "MINE"], ["naive~safe", "naive~MINE"], ["MINE~OTHER"]]
)
@pytest.mark.parametrize("mirror", [True, False])
def test_two_strategies_of_one_name_are_refused(tmp_path, lineups, mirror):
    (tmp_path / "mine.py").write_text(SAFE)
    (tmp_path / "other.py").write_text(SAFE.replace("range(53)", "range(52)"))
    mine = [
        text.replace("MINE", f"{tmp_path}/mine.py:safe").replace("OTHER", f"{tmp_path}/other.py:safe")
        for text in lineups
    ]
    with pytest.raises(BadInput, match=r"two .* called .*; (rename the function or file|give one of the files)"):
        make_plan({"lineups": mine, "mirror": mirror})


def test_one_strategy_may_be_named_often(tmp_path):
    (tmp_path / "mine.py").write_text(SAFE)
    mine = f"{tmp_path}/mine.py:safe"
    assert [cell.slug for cell in make_plan({"lineups": [mine, f"{mine}~naive"], "mirror": False}).cells] == [
        "safe", "safe~naive",
    ]  # fmt: skip


def test_two_variants_of_one_name_are_refused_with_any_line_ups(tmp_path):
    cells = []
    for folder, target, lineup in (("a", 3000, "safe"), ("b", 4000, "naive")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(f'base = "classic4"\ntarget = {target}\n')
        cells.append({"variant": str(tmp_path / folder / "mine.toml"), "lineup": lineup})
    with pytest.raises(BadInput, match="two variants with different rules are called 'mine'"):
        make_plan({"cells": cells})
