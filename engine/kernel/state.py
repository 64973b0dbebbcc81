"""The structured records of a deal in play.

TABLE is all that everybody sees (public history included), HAND what one seat sees besides, PLAN
what a decision function fills. CROUPIER is what steers the loop and nobody at the table sees: the
stock, and what is being counted for the log. Seats, sides and melds count from 0 here; the log
counts from 1.
"""

from __future__ import annotations

import numpy as np

from engine.cards import CARD_COUNT, KIND_COUNT
from engine.log import MAX_HAND, MAX_SEATS, MAX_SIDES, MAX_UPCARDS
from engine.rules import RULES

FIRST_PLACES, FURTHER = 13, 49  # all together bits of one whole number
MELDS = FIRST_PLACES + FURTHER
"""Places for the melds of a side: 0..10 the first melds of the ranks 4..A, 11 of wild cards, 12 of black threes;
then further places for second melds of a rank, second wild melds and sequences, in the order they were begun."""
WILD_MELD, THREES_MELD = 11, 12
SEQUENCE = 32
"""What lies in a further place (`extra_kind`, `new_kind`): a rank, WILD_MELD, or SEQUENCE + 16 · suit + lowest rank."""
NOTHING = -1
"""What lies in a further place whose meld has been joined to another."""
MAX_JOINS = 8
MAX_PACK = 385
MAX_PLAN = MAX_PACK

DRAW, TAKE, PASS = 0, 1, 2
"""Answers of `choose_draw`."""
PAIR, NATURAL_WILD, ADD = 1, 2, 4
"""Ways to take the pile, as bits of `hand.may_take`; the log's code of a way is its place."""
RANK_STEPS, LEVELS, MOST_WILDS = 12, 3, 24
"""Sizes of the account of all openings (engine.kernel.openings): ranks and black threes; wild cards of an opening."""
UNASKED, AGREED, REFUSED = 0, 1, 2
"""The partner's answer in this turn, in `hand.permission`."""

_I = np.int64  # one width everywhere: fewer versions of each function to compile
TABLE = np.dtype(
    [
        ("players", _I),
        ("sides", _I),
        ("seat_sides", _I, MAX_SEATS),  # side of each seat
        ("next_seat", _I, MAX_SEATS),  # who plays after each seat
        ("sits_out", _I),  # seat that does not play in this deal; −1 when none
        ("lone", _I),  # seat that plays alone where sides form during the deal; −1 before they have
        ("game", _I),
        ("deal", _I),
        ("dealer", _I),
        ("turn", _I),
        ("seat", _I),
        ("own_turns", _I, MAX_SEATS),  # turns each seat has begun in this deal
        ("stock", _I),  # cards left in the stock
        ("pile_count", _I),
        ("upcard", _I),  # cards in the pile; card on top or NO_CARD
        ("pile_points", _I),
        ("pile", _I, MAX_PACK),  # the pile's cards, bottom first (everybody saw them come); NO_CARD for face-down ones
        ("hidden", _I),  # face-down cards in the pile
        ("pile_kinds", _I, KIND_COUNT),
        ("frozen", _I),
        ("frozen_by", _I),  # frozen for everybody; log code of the cause
        ("naturals", _I, (MAX_SIDES, MELDS)),
        ("twos", _I, (MAX_SIDES, MELDS)),
        ("jokers", _I, (MAX_SIDES, MELDS)),
        ("opened", _I, MAX_SIDES),
        ("canastas", _I, MAX_SIDES),
        ("minimum", _I, MAX_SIDES),
        ("red_threes", _I, MAX_SIDES),
        ("black_threes", _I, MAX_SIDES),  # laid like red ones, where they are bonus cards
        ("asides", _I, MAX_SIDES),  # black threes set aside from taken piles
        ("reserves", _I, MAX_SEATS),  # cards of each seat's reserve; 0 once it is taken up
        ("freezes", _I, MAX_SEATS),  # times each seat has frozen the pile in this deal
        ("scores", _I, MAX_SIDES),
        ("melds", _I, MAX_SIDES),  # bit of each place where the side has a meld
        ("extras", _I, MAX_SIDES),  # further places given out
        ("extra_kind", _I, (MAX_SIDES, FURTHER)),  # what lies in each
        ("dead", _I),  # bit of each rank of which a side has completed a canasta
        ("content", _I, MAX_SIDES),  # code of what the side's opening must contain
        ("hand_sizes", _I, MAX_SEATS),
        ("melded", _I, MAX_SEATS),  # the seat has laid a card in this deal
        ("thrown", _I, (MAX_SEATS, KIND_COUNT)),  # discards of each kind by seat in this deal
        ("known", _I, (MAX_SEATS, KIND_COUNT)),  # cards a seat is known to hold since it took them with the pile
        ("visible", _I, KIND_COUNT),  # copies of each kind in melds and in the pile
    ],
    align=True,
)

HAND = np.dtype(
    [
        ("rng", np.uint64),  # the seat's own random stream, for strategies
        ("seat", _I),
        ("side", _I),
        ("home", _I),  # side that counts the seat's own takes and threes, whoever it has joined in the deal
        ("count", _I),
        ("points", _I),
        ("cards", _I, CARD_COUNT),
        ("kinds", _I, KIND_COUNT),
        ("holds", _I),  # bit of each kind the hand holds
        ("lone", _I),  # bit of each kind it holds once
        ("may_take", _I),  # ways to take the pile legally, found as the turn began
        ("must_take", _I),  # the stock is empty and the rules force the take
        ("key", _I),  # card of the pile that a take melds: the upcard, or the lowest card of the part taken
        ("depth", _I),  # cards a take would bring, that one included
        ("deep", _I),  # it would meld the lowest card of the part taken, not the upcard
        ("keep", _I),  # cards that must stay in the hand after melding, unless it goes out
        ("barred", _I),  # the seat may not go out now, whatever its side has laid
        ("no_discard", _I),  # the deal ends with this turn, without a discard
        ("special", _I),  # code of the special hand it may declare; 0 for none
        ("keeps", _I),  # it keeps a three for a straight: the one it holds, or the next it draws
        ("could_open", _I),
        ("could_out", _I),  # what the engine's search found after the draw
        ("took", _I),  # cards taken with the pile in this turn
        ("laid", _I),  # cards laid in this turn
        ("permission", _I),
        ("asks_late", _I),  # it has melded or combined melds since its draw or take: too late to ask the partner
    ],
    align=True,
)

PLAN = np.dtype(
    [
        ("rows", _I),
        ("card", _I, MAX_PLAN),
        ("meld", _I, MAX_PLAN),
        ("news", _I),
        ("new_kind", _I, FURTHER),  # melds begun in further places: how many, what each is
        ("joins", _I),
        ("join_from", _I, MAX_JOINS),
        ("join_to", _I, MAX_JOINS),  # melds of one rank to combine, before any card is laid
        ("upcard_place", _I),  # the meld a taken upcard joins; -1: the one of its rank, or that of the plan
        ("red_threes", _I),  # red threes to lay from hand, where the rules let the player choose
        ("depth", _I),  # cards to take where the rules let the player choose; 0 for the hand's `depth`
        ("special", _I),  # code of the special hand declared; 0 for none
        ("ask", _I),
        ("out", _I),  # ask the partner first; this plan goes out
        # Scratch of the engine's own searches, in counts: natural cards by rank, wild cards, what they are worth.
        ("use", _I, FIRST_PLACES),
        ("use_twos", _I),
        ("use_jokers", _I),
        ("points", _I),
        ("cards", _I),
        ("add_naturals", _I, MELDS),
        ("add_twos", _I, MELDS),
        ("add_jokers", _I, MELDS),
        ("add_ranks", _I, MELDS),  # bit of each rank of the naturals
        ("left_cards", _I, CARD_COUNT),  # cards of the hand that the plan does not lay, by card and kind
        ("left", _I, KIND_COUNT),
        ("room", _I),  # cards the plan may still lay
        # Openings by what they contain and the wild cards they lay, rank by rank: points, and how the last is laid.
        ("worth", _I, (RANK_STEPS + 1, LEVELS, MOST_WILDS + 1)),
        ("way", _I, (RANK_STEPS + 1, LEVELS, MOST_WILDS + 1)),
    ],
    align=True,
)

CROUPIER = np.dtype(
    [
        ("seed", np.int64),
        ("game", _I),
        ("next", _I),  # game being played; index of the stock's next card in `pack`
        ("in_game", _I),  # a game is under way
        ("pack_size", _I),
        ("pack", np.int8, MAX_PACK),
        ("reserves", np.int8, (MAX_SEATS, MAX_HAND)),
        ("hidden", np.int8, MAX_UPCARDS),  # face-down cards of the pile, bottom first
        ("hidden_points", _I),
        ("three_kept", _I),  # the last stock card was a three that stays in the hand
        ("freeze_turn", _I),
        ("freeze_seat", _I),  # turn and seat (−1: the deal) of the last card that froze the pile
        ("opened_sides", _I),
        ("one_turn", _I, MAX_SIDES),  # canastas begun and completed in one turn
        ("minimums", _I, MAX_SIDES),  # minimum of each seat's own score, where sides form during the deal
        ("move", _I),  # rows of the ledger written in this deal
        ("ending", _I),
        ("out_seat", _I),
        ("special", _I),  # code of the special hand declared; 0 for none
        ("out_concealed", _I),
        ("out_plain", _I),
        ("fault", _I),
        ("fault_seat", _I),  # reason of an illegal choice, 0 for none
        # the turn under way
        ("melds_before", _I),  # bits of the side's melds on the table as the turn began
        ("canastas_before", _I),
        ("fresh", _I),  # the seat had laid nothing before this turn
        ("added_to_old", _I),
        ("how", _I),
        ("laid_points", _I),
        ("opened", _I),
        ("refilled", _I),  # the seat has taken up its reserve since it was last asked for melds
        ("open_closed", _I),  # bonus cards came after the opening: what is laid later is no part of it
        # the pile's life under way
        ("life", _I),
        ("life_first", _I),
        ("life_frozen", _I),
        ("life_frozen_by", _I),
        ("life_frozen_seat", _I),
        ("life_wilds", _I),
        ("life_black_threes", _I),
        # the deal under way, by side
        ("open_turn", _I, MAX_SIDES),
        ("open_seat", _I, MAX_SIDES),
        ("opening", _I, MAX_SIDES),
        ("open_points", _I, MAX_SIDES),
        ("first_canasta", _I, MAX_SIDES),
        ("legal_takes", _I, MAX_SIDES),
        ("takes", _I, MAX_SIDES),
        ("taken", _I, MAX_SIDES),
        ("freezes", _I, MAX_SIDES),
        ("biggest", _I),
        ("biggest_seat", _I),
        ("deal_frozen", _I),
        # the game under way
        ("g_turns", _I),
        ("g_takes", _I),
        ("g_legal_takes", _I),
        ("g_taken", _I),
        ("g_frozen_turns", _I),
        ("g_frozen_deals", _I),
        ("g_freezes", _I),
        ("g_out_deals", _I),
        ("g_melded", _I),
        ("g_side_takes", _I, MAX_SIDES),
        ("g_naturals", _I, MAX_SIDES),
        ("g_mixed", _I, MAX_SIDES),
        ("g_wilds", _I, MAX_SIDES),
        ("g_sequences", _I, MAX_SIDES),
    ],
    align=True,
)


MAX_WEIGHTS = 32
SEATS = np.dtype(
    [
        ("hand", HAND, MAX_SEATS),
        ("weights", np.float64, (4, MAX_SEATS, MAX_WEIGHTS)),  # of the decisions draw, melds, discard, answer
    ],
    align=True,
)
"""What stands at each seat: its hand and its strategy's weights."""

_WORDS = (SEATS.itemsize + TABLE.itemsize + RULES.itemsize + 7) // 8
GUARD = np.dtype(
    [
        ("on", np.int64),
        ("kept", np.uint64, _WORDS),  # how it was before the decision
        ("live", np.uint64, _WORDS),  # SEATS, TABLE and RULES themselves, in whole words
    ],
    align=True,
)
"""Everything a strategy may read but not change, twice. Records, not arrays: an array is counted at every call."""


def new_record(dtype: np.dtype) -> np.record:
    """A zeroed record that compiled and interpreted code can both use."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def new_table(rules: np.record) -> tuple[np.record, np.record, np.record, np.record]:
    """Zeroed GUARD, and the TABLE, SEATS and RULES records that lie in its `live` words; the rules as given."""
    guard = new_record(GUARD)
    raw = guard["live"].view(np.uint8)
    records = []
    for dtype in (SEATS, TABLE, RULES):
        records.append(raw[: dtype.itemsize].view(dtype).view(np.recarray)[0])
        raw = raw[dtype.itemsize :]
    seats, table, own_rules = records
    for name in RULES.names or ():
        own_rules[name] = rules[name]
    return guard, table, seats, own_rules
