"""Take the pile when what it brings outweighs what it costs (STRATEGY §1.4)."""

from __future__ import annotations

from engine.decision import strategy
from engine.kernel.state import MELDS, NATURAL_WILD, TAKE
from engine.kernel.tally import clear_tally
from engine.strategies.goals import lacks_wild
from engine.strategies.taking import choose_way, decline, plan_careful_take

WEIGHTS = {
    "card": (40.0, "each card of the pile (T1, T2)"),
    "open": (40.0, "opening with the pile (M2)"),
    "spend_wild": (-25.0, "a wild card spent to take (T4)"),
    "hand_card": (-5.0, "each card already held"),
    "their_out": (-15.0, "each card of the pile when an opponent with a canasta holds few cards (T3)"),
    "few_cards": (3.0, "how few are few"),
    "last_wild": (-300.0, "… while going out lacks a wild canasta"),
}
CARD, OPEN, SPEND_WILD, HAND_CARD, THEIR_OUT, FEW_CARDS, LAST_WILD = range(len(WEIGHTS))


@strategy(kind="draw", weights=WEIGHTS)
def draw_weighed(table, hand, rules, weights, plan):
    """Take in the cheapest legal way when the weighed sum is above zero, or when the rules force it."""
    way = choose_way(hand)
    if not rules.plain:
        clear_tally(plan, MELDS)
    value = weights[CARD] * table.pile_count + weights[HAND_CARD] * hand.count
    if not table.opened[hand.side]:
        value += weights[OPEN]
    if way == NATURAL_WILD:
        value += weights[SPEND_WILD]
        if not rules.plain and lacks_wild(table, rules, hand.side, plan) > 0:
            value += weights[LAST_WILD]
    for seat in range(table.players):
        side = table.seat_sides[seat]
        if (
            side != hand.side
            and seat != table.sits_out
            and table.canastas[side] >= rules.canastas_out
            and table.hand_sizes[seat] <= weights[FEW_CARDS]
        ):
            value += weights[THEIR_OUT] * table.pile_count
            break
    if value <= 0 and not hand.must_take:
        return decline(table)
    return TAKE if plan_careful_take(table, hand, rules, plan, way) else decline(table)
