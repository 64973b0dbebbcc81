"""A user's strategy that plays like a built-in one but for one decision, written into a file."""

from __future__ import annotations

from pathlib import Path

IMPORTS = """
from engine.cards import BLACK_THREES, JOKERS, NATURAL_KINDS, TWOS
from engine.decision import strategy
from engine.jit import part
from engine.kernel.melds import add_rows, clear_plan, find_card, has_meld
from engine.kernel.out import put_out, search_out
from engine.kernel.state import ADD, AGREED, DRAW, PAIR, PASS, REFUSED, TAKE, UNASKED
from engine.strategies.laying import plan_additions, plan_canastas, plan_new_melds, plan_opening, plan_out
from engine.strategies.taking import choose_way, plan_take


@part
def play_on(table, hand, rules, plan):
    if not table.opened[hand.side]:
        if hand.could_open:
            plan_opening(table, hand, rules, plan, False)
        return
    budget = plan_additions(table, hand, plan, hand.count - 2)
    budget = plan_new_melds(table, hand, rules, plan, budget, 3)
    plan_canastas(table, hand, rules, plan, budget, 4)


@strategy(kind="answer")
def never(table, hand, rules, weights, plan):
    return 0


@strategy(kind="melds")
def meld_quietly(table, hand, rules, weights, plan):
    play_on(table, hand, rules, plan)
    return 0
"""


def write_cheat(folder: Path, kind: str, body: str, base: str = "naive") -> Path:
    """A strategy that plays as `base` but for one decision."""
    lines = [line.removeprefix("        ") for line in body.strip("\n").split("\n")]
    if not any(line.startswith("return") for line in lines):
        lines.append("return 0" if kind in ("melds", "draw") else "return find_card(hand, 0)")
    function = "\n".join(f"    {line}" for line in lines)
    (folder / "cheat.py").write_text(
        f"{IMPORTS}\n\n@strategy(kind='{kind}')\ndef cheat(table, hand, rules, weights, plan):\n{function}\n"
    )
    parts = {"draw": "all", "melds": "all", "discard": "highest", "answer": "always"}
    parts |= {"answer": "cheat.py:never"} if "REFUSED" in body else {}
    parts[kind] = "cheat.py:cheat"
    if kind == "answer":
        parts["melds"] = "weighed"
    weights = "[weights.melds]\nask_above = -1\n" if kind == "answer" else ""
    path = folder / "cheat.toml"
    path.write_text("".join(f'{part} = "{name}"\n' for part, name in parts.items()) + weights)
    return path
