"""`import pipeline as cl`: what a notebook reaches beside runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import pipeline as cl
from engine.cards import CARDS
from engine.errors import BadInput
from engine.rules import variant_names
from engine.strategies import strategy_names

CASES = Path(__file__).parent / "cases"


def test_every_name_of_the_package_is_there():
    for name in cl.__all__:
        assert getattr(cl, name) is not None
        assert name in dir(cl)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cl.nothing


def test_names_stay_functions_whatever_was_imported_before():
    code = (
        "import pipeline as cl, pipeline.simulation, pipeline.in_memory, pipeline.notebook, pipeline.commands.make\n"
        "assert all(callable(getattr(cl, name)) for name in cl.__all__ if name != 'stats')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_opening_the_package_imports_nothing_heavy():
    code = "import sys, pipeline\nassert not {'numba', 'polars', 'duckdb', 'pyarrow', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lists_name_what_there_is():
    assert cl.variants()["variant"].to_list() == list(variant_names())
    assert cl.strategies()["strategy"].to_list() == list(strategy_names())
    assert {"name", "unit", "dimensions"} <= set(cl.metrics().columns)
    assert {"name", "answers", "parameters"} <= set(cl.queries().columns)


def test_cards_are_in_playing_order_and_join_with_frames(sample_run):
    cards = cl.cards()
    assert cards["card"].to_list() == list(CARDS) == cards.sort("card")["card"].to_list()
    assert cards["rank"].is_sorted()
    assert cards["points"].sum() == 5 * 4 * 4 + 10 * 6 * 4 + 20 * 4 + 20 * 4 + 5 * 2 + 50
    discards = cl.open_run(sample_run).turns().join(cards.lazy(), left_on="discard", right_on="card").collect()
    assert discards["points"].null_count() == 0
    assert discards.height


def test_rules_say_what_they_change_and_play():
    rules = cl.rules("classic4", canastas_out=2, hand_size=15)
    assert repr(rules) == "classic4.hand_size-15.canastas_out-2: classic4 with hand_size=15, canastas_out=2"
    assert set(rules.diff(cl.rules())) == {"hand_size", "canastas_out"}
    assert rules.diff("classic4") == rules.diff(cl.rules())
    with pytest.raises(BadInput, match="classic44"):
        rules.diff("classic44")
    assert cl.play(rules, games=2).variants == (rules.slug,)
    with pytest.raises(BadInput, match="unknown parameter 'canasta_out'"):
        cl.rules(canasta_out=2)


TYPED = """
import pipeline as cl

@cl.strategy(kind="answer", weights={"yes": 1.0})
def agreeable(table, hand, rules, weights, plan):
    "Says yes as often as it likes."
    return 1 if weights[0] > 0 else 0
"""


def test_a_strategy_declared_in_a_notebook_plays_at_once(tmp_path):
    exec(compile(TYPED, "<cell>", "exec"), {})
    assert cl.play("classic4", "agreeable~safe", games=4).lineups == ("agreeable~safe", "safe~agreeable")
    run = cl.simulate(strategies=["agreeable"], games=4, out=tmp_path / "run")
    assert run.cells["lineup"].to_list() == ["agreeable"]


def test_simulate_opens_what_it_wrote_and_extends_it(tmp_path):
    out = tmp_path / "run"
    first = cl.simulate({"lineups": ["naive"]}, games=10, out=out)
    assert (first.path, first.games().collect().height) == (out, 10)
    assert cl.simulate(lineups=["naive"], games=20, out=out).games().collect().height == 20
    with pytest.raises(BadInput, match="seed 1, this is 2"):
        cl.simulate(lineups=["naive"], games=20, seed=2, out=out)


def test_simulate_takes_a_plan_file_and_names_the_run_after_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('lineups = ["naive"]\ngames = 5\n')
    assert cl.simulate("mine.toml").path == Path("data/runs/mine")
    assert cl.simulate(lineups=["naive"], games=5).path == Path("data/runs/classic4_naive_seed1")


def test_a_line_up_is_given_once(tmp_path):
    with pytest.raises(BadInput, match="say the same"):
        cl.simulate(strategies=["safe"], lineups=["safe"], out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_check_judges_a_file_and_a_deal(sample_run, tmp_path):
    deal = cl.open_run(sample_run).deal("classic4", "safe", game=3, deal=2)
    assert cl.check(deal.save(tmp_path / "deal.chh")) == cl.check(deal)
    assert cl.check(deal).legal
    text = deal.chh().replace("discard", "draw", 1)
    (tmp_path / "bad.chh").write_text(text)
    assert not cl.check(tmp_path / "bad.chh").legal
    with pytest.raises(BadInput, match="cannot be read"):
        cl.check(tmp_path / "none.chh")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nope\.chh: cannot be read: No such file"):
        cl.check(tmp_path / "nope.chh")


def test_intervals_that_decide_when_to_stop_have_a_level(tmp_path):
    chosen = {"variants": ["classic4"], "lineups": ["random"], "games": 8_000, "until": "turns_per_deal ± 0.3%"}
    loose, strict = (
        cl.simulate(**chosen, level=level, out=tmp_path / str(level)).cells["games"][0] for level in (0.5, 0.9999)
    )
    assert loose < strict


def test_of_several_deals_one_is_chosen(tmp_path):
    text = (CASES / "x04_third_wild_fits.chh").read_text(encoding="utf-8")
    path = tmp_path / "deals.chhs"
    path.write_text("".join(f"[{number}]\n" + text.replace("[position]", f"[{number}.position]") for number in (1, 2)))
    with pytest.raises(BadInput, match="has deals 1, 2; say which"):
        cl.check(path)
    assert cl.check(path, 2).legal
    with pytest.raises(BadInput, match="has no deal 3"):
        cl.check(path, 3)


def test_stats_work_on_any_frame(sample_run):
    run = cl.open_run(sample_run)
    own = cl.stats.ratio(
        run.games(lineup="safe").select("variant", "game", "turns", n=pl.lit(1)).collect(),
        k="turns", n="n", cluster="game", by=["variant"],
    )  # fmt: skip
    theirs = run.metric("turns_per_game", lineup="safe")
    assert own["value"].to_list() == pytest.approx(theirs["value"].to_list())
    assert own["low"].to_list() == pytest.approx(theirs["low"].to_list())
