"""Cheats: strategies that choose illegally, each with the rules and the fault it must be stopped with."""

from __future__ import annotations

from typing import Any

from engine.rules import load_variant

CLASSIC = load_variant("classic4")

FEW = {"hand_size": 4, "initial_minimums": "<0:0", "canastas_out": 7}
Cheat = tuple[str, str, str, dict[str, Any]]
"""Fault, kind, body of the decision, changes to classic4."""

CHEATS: dict[str, Cheat] = {
    "melds a card it has not": (
        "not_held",
        "melds",
        """
        kind = 0
        while hand.kinds[kind] > 0:
            kind += 1
        plan.rows, plan.card[0], plan.meld[0] = 1, 4 * kind, kind
        """,
        {},
    ),
    "melds a card twice": (
        "not_held",
        "melds",
        """
        for kind in range(NATURAL_KINDS):
            if hand.kinds[kind] > 0:
                for row in range(9):
                    plan.card[row], plan.meld[row] = find_card(hand, kind), kind
                plan.rows = 9
        """,
        {},
    ),
    "discards a card it has not": (
        "not_held",
        "discard",
        """
        for card in range(48):
            if hand.cards[card] == 0:
                return card
        """,
        {},
    ),
    "discards card 999": ("not_held", "discard", "return 999", {}),
    "discards card 2**40": ("not_held", "discard", "return 1099511627776", {}),
    "discards nothing": ("no_discard", "discard", "return -1", {}),
    "discards card -999": ("no_discard", "discard", "return -999", {}),
    "melds a king as a four": (
        "wrong_meld",
        "melds",
        "plan.rows, plan.card[0], plan.meld[0] = 1, find_card(hand, 9) if hand.kinds[9] else 36, 0",
        {},
    ),
    "melds wilds alone": (
        "wrong_meld",
        "melds",
        """
        if hand.kinds[TWOS] > 0:
            plan.rows, plan.card[0], plan.meld[0] = 1, find_card(hand, TWOS), 11
        """,
        {},
    ),
    "melds -1 cards": ("wrong_meld", "melds", "plan.rows = -1", {}),
    "melds a million cards": ("wrong_meld", "melds", "plan.rows = 1000000", {}),
    "melds card 999": ("wrong_meld", "melds", "plan.rows, plan.card[0], plan.meld[0] = 1, 999, 0", {}),
    "melds card -1": ("wrong_meld", "melds", "plan.rows, plan.card[0], plan.meld[0] = 1, -1, 0", {}),
    "melds to meld -5": ("wrong_meld", "melds", "plan.rows, plan.card[0], plan.meld[0] = 1, 0, -5", {}),
    "melds to meld 13": ("wrong_meld", "melds", "plan.rows, plan.card[0], plan.meld[0] = 1, 0, 13", {}),
    "melds two cards": (
        "meld_invalid",
        "melds",
        """
        for kind in range(NATURAL_KINDS):
            if 0 < hand.kinds[kind] < 3 and not has_meld(table, hand.side, kind):
                clear_plan(plan)
                add_rows(hand, plan, kind, hand.kinds[kind], kind)
        """,
        {},
    ),
    "melds a natural with wilds": (
        "meld_invalid",
        "melds",
        """
        for kind in range(NATURAL_KINDS):
            if hand.kinds[kind] > 0 and not has_meld(table, hand.side, kind) and hand.kinds[TWOS] > 1:
                clear_plan(plan)
                add_rows(hand, plan, kind, 1, kind)
                add_rows(hand, plan, TWOS, 2, kind)
        """,
        {},
    ),
    "melds a black three": (
        "black_threes",
        "melds",
        """
        play_on(table, hand, rules, plan)
        if hand.kinds[BLACK_THREES] > 0:
            clear_plan(plan)
            add_rows(hand, plan, BLACK_THREES, hand.kinds[BLACK_THREES], 12)
        """,
        {},
    ),
    "opens too low": (
        "minimum",
        "melds",
        """
        for kind in range(4):
            if hand.kinds[kind] == 3 and not table.opened[hand.side]:
                clear_plan(plan)
                add_rows(hand, plan, kind, 3, kind)
        """,
        {},
    ),
    "melds its last cards": (
        "keeps_too_few",
        "melds",
        """
        play_on(table, hand, rules, plan)
        if table.opened[hand.side]:
            clear_plan(plan)
            plan_additions(table, hand, plan, hand.count)
        """,
        FEW,
    ),
    "goes out after a no": (
        "out_refused",
        "melds",
        """
        if hand.could_out and hand.permission == UNASKED and hand.laid == 0 and hand.count >= 2:
            plan.ask = 1
        elif hand.permission == REFUSED:
            search_out(table, hand, rules, plan)
            put_out(hand, plan)
        else:
            play_on(table, hand, rules, plan)
        """,
        {},
    ),
    "asks and plays on": (
        "out_promised",
        "melds",
        """
        if hand.could_out and hand.permission == UNASKED and hand.laid == 0 and hand.count >= 2:
            plan.ask = 1
        elif hand.permission == UNASKED:
            play_on(table, hand, rules, plan)
        """,
        {},
    ),
    "goes out without the discard": (
        "out_discard",
        "melds",
        """
        plan_additions(table, hand, plan, hand.count)
        if plan.rows < hand.count or table.canastas[hand.side] == 0:
            clear_plan(plan)
            play_on(table, hand, rules, plan)
        """,
        {"out_discard": "required", "hand_size": 6, "initial_minimums": "<0:0"},
    ),
    "takes with nothing": ("take_illegal", "draw", "return DRAW if hand.may_take & ADD else TAKE", {}),
    "takes with one card more": (
        "take_illegal",
        "draw",
        """
        if not table.opened[hand.side] or not hand.may_take & PAIR:
            return DRAW
        plan_take(table, hand, rules, plan, PAIR)
        for kind in range(NATURAL_KINDS):
            if kind != plan.meld[0] and hand.kinds[kind] > 2:
                add_rows(hand, plan, kind, 3, kind)
                return TAKE
        return DRAW
        """,
        {},
    ),
    "takes with -1 cards": (
        "wrong_meld",
        "draw",
        """
        plan.rows = -1
        return TAKE
        """,
        {},
    ),
    "takes with a million cards": (
        "wrong_meld",
        "draw",
        """
        plan.rows = 1000000
        return TAKE
        """,
        {},
    ),
    "leaves a pile it must take": (
        "must_take",
        "draw",
        "return PASS if table.stock == 0 else DRAW",
        {"canastas_out": 7},
    ),
    "answers 7 to the draw": ("unknown_answer", "draw", "return 7", {}),
    "answers -1 to the draw": ("unknown_answer", "draw", "return -1", {}),
    "passes while there is stock": ("unknown_answer", "draw", "return PASS if table.stock > 0 else DRAW", {}),
    "draws from an empty stock": ("unknown_answer", "draw", "return DRAW", {"canastas_out": 7}),
    "answers its partner 7": ("unknown_answer", "answer", "return 7", {}),
    "answers its partner -1": ("unknown_answer", "answer", "return -1", {}),
    "asks when it cannot go out": ("ask_illegal", "melds", "plan.ask = 0 if hand.could_out else 1", {}),
    "asks twice": ("ask_illegal", "melds", "plan.ask = hand.could_out; play_on(table, hand, rules, plan)", {}),
    "lays a red three it has not": ("red_three", "melds", "plan.red_threes = 1", {}),
    "lays -1 red threes": ("red_three", "melds", "plan.red_threes = -1", {}),
    "melds before its round": (
        "too_early",
        "melds",
        """
        for kind in range(NATURAL_KINDS):
            if hand.kinds[kind] > 0:
                clear_plan(plan)
                add_rows(hand, plan, kind, 1, kind)
        """,
        {"meld_from_round": 9, "sequences": True},
    ),
    "declares a hand it has not": ("special_illegal", "melds", "plan.special = 1", {"special_hands": {"pairs": 2500}}),
    "declares hand 99": ("special_illegal", "melds", "plan.special = 99", {"special_hands": {"pairs": 2500}}),
    "goes out unasked": (
        "unasked",
        "melds",
        """
        if hand.could_out and search_out(table, hand, rules, plan):
            put_out(hand, plan)
        else:
            play_on(table, hand, rules, plan)
        """,
        {"ask_partner": "required"},
    ),
    "combines melds it has not": ("join_illegal", "melds", "plan.joins = 1", {"same_rank_melds": "several"}),
    "opens with a wild card": (
        "opening_content",
        "melds",
        """
        for kind in range(NATURAL_KINDS):
            if hand.kinds[kind] == 2 and hand.kinds[TWOS] > 0 and not table.opened[hand.side]:
                clear_plan(plan)
                add_rows(hand, plan, kind, 2, kind)
                add_rows(hand, plan, TWOS, 1, kind)
        """,
        {"initial_content": "naturals_only", "initial_minimums": "<0:0"},
    ),
    "throws a black three at once": (
        "discard_banned",
        "discard",
        """
        early = table.own_turns[hand.seat] == 1
        if early and 0 < hand.kinds[BLACK_THREES] < hand.count:
            return find_card(hand, BLACK_THREES)
        for kind in range(15):
            if hand.kinds[kind] > 0 and (kind != BLACK_THREES or not early):
                return find_card(hand, kind)
        """,
        {"discard_bans": ["red3", "black3_first_round"]},
    ),
    "raises its score": ("changed_table", "melds", "table.scores[hand.side] += 5", {}),
    "lowers its minimum": ("changed_table", "draw", "table.minimum[hand.side] = 0; return DRAW", {}),
    "gives the turn away": ("changed_table", "discard", "table.seat = 99; return find_card(hand, BLACK_THREES)", {}),
    "takes a joker": ("changed_table", "melds", "hand.cards[52] += 1", {}),
    "says it may take": ("changed_table", "melds", "hand.may_take = 7", {}),
    "changes its own weights": ("changed_table", "melds", "weights[0] += 1", {}),
    "changes the rules": ("changed_table", "melds", "rules.canastas_out = 0", {}),
    "changes its hand to answer": ("changed_table", "answer", "hand.points = 0; return 1", {}),
}
