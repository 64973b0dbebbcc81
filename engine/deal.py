"""Dealing: pack, hands one card at a time, the upcards. Sources: RULES §1.1, §1.2."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARD_COUNT, KIND_OF, NATURAL_KINDS, NO_CARD, POINTS_OF, RED_THREES
from engine.jit import jit
from engine.log import FREEZES, MAX_UPCARDS, NULL, code
from engine.melds import give_card, is_wild
from engine.rng import key_of, shuffle
from engine.rules import bit
from engine.rules import code as rule_code

ALWAYS = rule_code("pile_frozen", "always")
UPCARD_NONE = rule_code("upcard", "none")
UPCARD_SINGLE = rule_code("upcard", "single")
UNTIL_NATURAL = rule_code("upcard", "until_natural")
BY_WILD, BY_RED3_UPCARD = bit("freeze_by", "wild"), bit("freeze_by", "red3_upcard")
BY_RED3, BY_BLACK3 = bit("freeze_by", "red3_discard"), bit("freeze_by", "black3")
F_WILD, F_RED3, F_BLACK3 = code(FREEZES, "wild"), code(FREEZES, "red3"), code(FREEZES, "black3")
F_UP_WILD, F_UP_RED3, F_UP_BLACK3 = (code(FREEZES, f"upcard_{kind}") for kind in ("wild", "red3", "black3"))
F_ALWAYS = code(FREEZES, "always")


@jit
def fill_pack(rules, croupier):
    """Put the variant's pack in code order into the croupier's hands."""
    size = 0
    for card in range(CARD_COUNT - 1):
        for _ in range(rules.packs):
            croupier.pack[size] = card
            size += 1
    for _ in range(rules.jokers):
        croupier.pack[size] = CARD_COUNT - 1
        size += 1
    croupier.pack_size = size


@jit
def clear_table(table):
    """Nothing lies on the table and nothing has been seen."""
    table.turn = 0
    table.pile_kinds[:] = 0
    table.pile_count = 0
    table.naturals[:] = 0
    table.twos[:] = 0
    table.jokers[:] = 0
    table.opened[:] = 0
    table.canastas[:] = 0
    table.melds[:] = 0
    table.red_threes[:] = 0
    table.own_turns[:] = 0
    table.hand_sizes[:] = 0
    table.melded[:] = 0
    table.thrown[:] = 0
    table.known[:] = 0
    table.visible[:] = 0


@jit
def clear_deal(table, seats, croupier):
    """Forget the deal before."""
    clear_table(table)
    croupier.move = 0
    croupier.ending = 0
    croupier.out_seat = -1
    croupier.life = 0
    croupier.biggest = 0
    croupier.biggest_seat = -1
    croupier.deal_frozen = 0
    for side in range(table.sides):
        croupier.open_turn[side] = 0
        croupier.first_canasta[side] = 0
        croupier.legal_takes[side] = 0
        croupier.takes[side] = 0
        croupier.taken[side] = 0
        croupier.freezes[side] = 0
    for seat in range(table.players):
        clear_hand(seats.hand[seat])


@jit
def clear_hand(hand):
    """Empty a hand."""
    hand.cards[:] = 0
    hand.kinds[:] = 0
    hand.holds = 0
    hand.lone = 0
    hand.count = 0
    hand.points = 0


@jit
def deal_hands(table, seats, rules, croupier, log):
    """Shuffle and deal one card at a time from the dealer's left, so that hands of other sizes nest."""
    fill_pack(rules, croupier)
    shuffle(croupier.pack, croupier.pack_size, key_of(croupier.seed, croupier.game, table.deal, 0))
    croupier.next = rules.hand_size * table.players
    for place in range(croupier.next):
        give_card(table, seats.hand[(table.dealer + 1 + place) % table.players], croupier.pack[place])
    table.stock = croupier.pack_size - croupier.next
    row = log.deals_rows
    log.deals_hands[row, :, :] = 0
    for seat in range(table.players):
        place = 0
        for card in range(CARD_COUNT):
            for _ in range(seats.hand[seat].cards[card]):
                log.deals_hands[row, seat, place] = card + 1
                place += 1


@jit
def begin_life(table, croupier, turn):
    """An empty pile begins a new life with the discard of a turn, or with the deal (0)."""
    table.pile_count = 0
    table.pile_points = 0
    table.pile_kinds[:] = 0
    table.upcard = NO_CARD
    table.frozen = 0
    table.frozen_by = 0
    croupier.life += 1
    croupier.life_first = turn
    croupier.life_frozen = NULL
    croupier.life_frozen_by = 0
    croupier.life_frozen_seat = NULL
    croupier.life_wilds = 0
    croupier.life_black_threes = 0


@jit
def put_on_pile(table, card):
    """Lay a card on top of the pile."""
    kind = KIND_OF[card]
    table.pile[table.pile_count] = card
    table.pile_count += 1
    table.pile_kinds[kind] += 1
    table.pile_points += POINTS_OF[card]
    table.visible[kind] += 1
    table.upcard = card


@jit
def find_freeze(rules, kind, at_deal):
    """Log code of the freeze a card on the pile causes under these rules; 0 for none."""
    if is_wild(kind):
        return (F_UP_WILD if at_deal else F_WILD) if rules.freeze_by & BY_WILD else 0
    if kind == RED_THREES:
        if at_deal:
            return F_UP_RED3 if rules.freeze_by & BY_RED3_UPCARD else 0
        return F_RED3 if rules.freeze_by & BY_RED3 else 0
    if kind == BLACK_THREES and rules.freeze_by & BY_BLACK3:
        return F_UP_BLACK3 if at_deal else F_BLACK3
    return 0


@jit
def freeze(table, rules, croupier, cause, seat):
    """Freeze the pile for everybody unless it is frozen already; `seat` −1 at the deal."""
    if rules.pile_frozen == ALWAYS:
        table.frozen = 1
        table.frozen_by = F_ALWAYS
        croupier.deal_frozen = 1
    elif cause != 0 and not table.frozen:
        table.frozen = 1
        table.frozen_by = cause
        croupier.life_frozen = table.turn
        croupier.life_frozen_by = cause
        croupier.life_frozen_seat = seat + 1 if seat >= 0 else NULL
        croupier.deal_frozen = 1
        croupier.g_freezes += 1
        if seat >= 0:
            croupier.freezes[table.seat_sides[seat]] += 1


@jit
def turn_upcards(table, rules, croupier, log):
    """Turn the first card of the pile and, where the rules say so, cards onto it (at most 24)."""
    begin_life(table, croupier, 0)
    row = log.deals_rows
    log.deals_upcards[row, :] = 0
    while rules.upcard != UPCARD_NONE and table.stock > 0 and table.pile_count < MAX_UPCARDS:
        card = croupier.pack[croupier.next]
        croupier.next += 1
        table.stock -= 1
        log.deals_upcards[row, table.pile_count] = card + 1
        put_on_pile(table, card)
        freeze(table, rules, croupier, find_freeze(rules, KIND_OF[card], True), -1)
        kind = KIND_OF[card]
        stays = kind < NATURAL_KINDS or (kind == BLACK_THREES and rules.upcard != UNTIL_NATURAL)
        if stays or rules.upcard == UPCARD_SINGLE:
            break
