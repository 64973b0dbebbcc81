"""Dealing: who plays, the pack, hands card by card, reserves; the life of a pile. Sources: RULES §1.1, §1.8, §9."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARD_COUNT, KIND_OF, NO_CARD, POINTS_OF, RED_THREES
from engine.jit import find_lowest, jit
from engine.kernel.melds import give_card, is_wild
from engine.kernel.state import FIRST_PLACES
from engine.log import FREEZES, MAX_SIDES, NULL, code
from engine.rng import key_of, shuffle
from engine.rules import bit
from engine.rules import code as rule_code

ALWAYS = rule_code("pile_frozen", "always")
TAKEN, ROUND = rule_code("freeze_ends", "taken"), rule_code("freeze_ends", "round")
TWO_V_THREE = rule_code("sides", "two_v_three")
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
    for side in range(MAX_SIDES):
        places = FIRST_PLACES + table.extras[side]  # no further one was given out
        table.naturals[side, :places] = 0
        table.twos[side, :places] = 0
        table.jokers[side, :places] = 0
    table.opened[:] = 0
    table.canastas[:] = 0
    table.melds[:] = 0
    table.extras[:] = 0
    table.dead = 0
    table.red_threes[:] = 0
    table.black_threes[:] = 0
    table.asides[:] = 0
    table.reserves[:] = 0
    table.freezes[:] = 0
    table.hidden = 0
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
    croupier.three_kept = 0
    croupier.special = 0
    croupier.hidden_points = 0
    croupier.opened_sides = 0
    croupier.out_seat = -1
    croupier.life = 0
    croupier.biggest = 0
    croupier.biggest_seat = -1
    croupier.deal_frozen = 0
    for side in range(table.sides):
        croupier.open_turn[side] = 0
        croupier.one_turn[side] = 0
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
    hand.no_discard = 0
    hand.special = 0


@jit
def count_active(table):
    """Seats that play in this deal."""
    return table.players - (1 if table.sits_out >= 0 else 0)


@jit
def deal_reserves(table, rules, croupier, log):
    """A second packet for each player, one card at a time after the hands; nobody sees it (RULES §9, §17)."""
    seat, row = table.dealer, log.deals_rows
    log.deals_reserves[row, :, :] = 0
    for _ in range(rules.reserve_size * count_active(table)):
        seat = table.next_seat[seat]
        croupier.reserves[seat, table.reserves[seat]] = croupier.pack[croupier.next]
        log.deals_reserves[row, seat, table.reserves[seat]] = croupier.pack[croupier.next] + 1
        table.reserves[seat] += 1
        croupier.next += 1


@jit
def put_hand(log, hand, seat):
    """Write the cards dealt to a seat, in code order; cards not held are left out by a mask, not one by one."""
    held = 0
    for card in range(CARD_COUNT):
        held |= (hand.cards[card] > 0) << card
    place = 0
    while held != 0:
        card = find_lowest(held)
        held &= held - 1
        for _ in range(hand.cards[card]):
            log.deals_hands[log.deals_rows, seat, place] = card + 1
            place += 1


@jit
def deal_hands(table, seats, rules, croupier, log):
    """Shuffle and deal one card at a time from the dealer's left, so that hands of other sizes nest."""
    fill_pack(rules, croupier)
    shuffle(croupier.pack, croupier.pack_size, key_of(croupier.seed, croupier.game, table.deal, 0))
    seat = table.dealer
    croupier.next = rules.hand_size * count_active(table)
    for place in range(croupier.next):
        seat = table.next_seat[seat]
        give_card(table, seats.hand[seat], croupier.pack[place])
    deal_reserves(table, rules, croupier, log)
    table.stock = croupier.pack_size - croupier.next
    log.deals_hands[log.deals_rows, :, :] = 0
    for seat in range(table.players):
        put_hand(log, seats.hand[seat], seat)


@jit
def begin_life(table, croupier, turn):
    """An empty pile begins a new life with the discard of a turn, or with the deal (0)."""
    table.pile_count = 0
    table.pile_points = 0
    table.pile_kinds[:] = 0
    table.hidden = 0
    table.upcard = NO_CARD
    croupier.hidden_points = 0
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
    if cause != 0:
        croupier.freeze_turn = table.turn
        croupier.freeze_seat = seat
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
            table.freezes[seat] += 1
            croupier.freezes[rules.seat_sides[seat]] += 1


@jit
def thaw(table, rules, croupier, seat):
    """End a freeze that lasts no longer than a round or a turn, as a seat's turn begins (parameter `freeze_ends`)."""
    thrower = croupier.freeze_seat if croupier.freeze_seat >= 0 else table.dealer
    over = thrower == seat and table.turn > croupier.freeze_turn
    if rules.freeze_ends != ROUND:
        over = table.turn - croupier.freeze_turn > 1
    if over and rules.pile_frozen != ALWAYS:
        table.frozen = 0
        table.frozen_by = 0


@jit
def seat_players(table, rules, seats):
    """Who plays in this deal and in which order: of a side of three the third, second, first sits out in turn.

    The fifth seat then plays in the place of who sits out, so that sides alternate (RULES §1.11).
    """
    table.lone = -1
    table.sits_out = -1
    for seat in range(table.players):
        table.next_seat[seat] = (seat + 1) % table.players
        table.seat_sides[seat] = rules.seat_sides[seat]
        seats.hand[seat].side = rules.seat_sides[seat]
        seats.hand[seat].home = rules.seat_sides[seat]
    if rules.sides == TWO_V_THREE:
        out = 4 - 2 * ((table.deal - 1) % 3)
        table.sits_out = out
        table.next_seat[3] = 0
        if out < 4:
            table.next_seat[(out + 3) % 4] = 4
            table.next_seat[4] = (out + 1) % 4


@jit
def find_dealer(table):
    """Place of the next dealer: the deal goes to the left, to the next place, whoever plays there (RULES §1.1)."""
    if table.deal == 1:
        return table.dealer
    place = table.sits_out if table.dealer == 4 and table.sits_out >= 0 else table.dealer
    return (place + 1) % count_active(table)
