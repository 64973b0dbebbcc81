"""What Python lets through and no question can use is refused in one line, as it is at the command."""

from __future__ import annotations

import pytest

from engine.errors import BadInput
from pipeline.in_memory import play
from pipeline.run import Run, open_run


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.mark.parametrize("level", ["0.9", None, [0.9], float("nan"), True])
def test_a_level_is_a_number_between_0_and_1(run, level):
    with pytest.raises(BadInput, match="a confidence level lies between 0 and 1"):
        run.metric("turns_per_game", level=level)


@pytest.mark.parametrize("shares", ["0.5", [None], ["a"], [0], [1]])
def test_quantiles_are_a_list_of_shares(run, shares):
    with pytest.raises(BadInput, match="between 0 and 1"):
        run.quantiles("turns_per_game", shares)


@pytest.mark.parametrize("games", [5, "a", (1,), (1.5, 2), (0, 3), (5, 1), "12"])
def test_a_span_of_games_is_two_whole_numbers(run, games):
    with pytest.raises(BadInput, match="give the first and the last, from 1"):
        run.games(games=games)


@pytest.mark.parametrize("choice", [5, 1.5])
def test_a_choice_is_a_name_or_several(run, choice):
    for ask in (run.metric, run.distribution, run.ask):
        with pytest.raises(BadInput, match="give a name, or several"):
            ask("turns_per_game", variant=choice)


def test_a_deal_is_found_by_whole_numbers(run):
    with pytest.raises(BadInput, match="give two whole numbers"):
        run.deal("classic4", "safe", game=1.5, deal=1)


@pytest.mark.parametrize("minutes", [float("nan"), float("inf"), "1e999", 10**400, -5])
def test_a_metrics_parameter_is_a_number_that_can_be(run, minutes):
    with pytest.raises(BadInput, match=r"minutes: .* give (a number|0 or more)"):
        run.metric("finished_within", minutes=minutes)


@pytest.mark.parametrize("name", [None, 5, [], [5], [None]])
def test_a_name_is_text(run, name):
    for ask in (run.metric, run.distribution, run.distribution_sql, run.quantiles, run.ask, run.query, run.frame):
        with pytest.raises(BadInput, match=r"give|one of|not"):
            ask(name)
    with pytest.raises(BadInput, match="give the path of its folder"):
        open_run(name)
    with pytest.raises(BadInput, match="give one SELECT"):
        run.sql(name)


@pytest.mark.parametrize("by", [5, [5], [None], [["deal"]]])
def test_what_is_split_by_is_names(run, by):
    for ask in (run.metric, run.distribution, run.quantiles):
        with pytest.raises(BadInput, match="give a name, or several"):
            ask("turns_per_deal", by=by)


@pytest.mark.parametrize("asked", [{"variant": 5}, {"variant": None}, {"lineup": 5}, {"workers": "x"}, {"workers": 0}])
def test_what_is_played_in_memory_is_named(asked):
    with pytest.raises(BadInput):
        play(**{"games": 1, **asked})


def test_quantiles_of_nothing_are_refused(run):
    with pytest.raises(BadInput, match="give a list of shares"):
        run.quantiles("turns_per_game", None)


@pytest.mark.parametrize("games", [None, "5", 0])
def test_a_sample_is_of_a_number_of_games(run, games):
    with pytest.raises(BadInput, match="allowed: 1 or more"):
        run.sample("turns", games)
