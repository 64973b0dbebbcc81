"""The stock: drawing from it, and red threes drawn, which are laid and replaced (RULES §1.3, §1.11)."""

from __future__ import annotations

from engine.cards import CARDS, RED_THREES
from engine.history.record import UNKNOWN, Action, show_cards
from engine.referee.cards import kind_of
from engine.referee.kept import gives_up, keeps_untold
from engine.referee.melds import flag_early_melds
from engine.referee.table import Table, Turn


def fault_owed(table: Table, turn: Turn) -> None:
    """Fewer cards were drawn than the rules say, and no more follow: a three was kept, or it is a fault."""
    if keeps_untold(table, turn):
        return
    table.fault(
        "draw_count",
        f"seat {turn.seat} draws {turn.gained} cards beside red threes laid; it draws {table.rules.draw_count}",
        action=turn.first_draw,
    )
    turn.owed = 0


def take_from_stock(table: Table, card: int) -> int:
    """The next card leaves the stock; returns it, as it is known from either side."""
    if not table.stock:
        table.fault("stock_empty", f"seat {table.turn.seat} draws {show_cards([card])}; the stock is empty")
        table.see(card)
        return card
    table.stock -= 1
    if table.stock_cards is None:
        table.see(card)
        return card
    following = table.stock_cards.pop()
    if UNKNOWN in (following, card):
        if following == UNKNOWN:
            table.see(card)
        return max(following, card)
    if following != card:
        table.fault("next_card", f"seat {table.turn.seat} draws {CARDS[card]}; the next card is {CARDS[following]}")
    return card


def draw(table: Table, action: Action) -> None:
    """Draw from the stock."""
    turn = table.turn
    flag_early_melds(table)
    again = turn.began and not turn.owed
    if again:
        table.fault("drawn_already", f"seat {action.seat} draws after {'taking the pile' if turn.took else 'drawing'}")
    turn.drawn = True
    turn.first_draw = turn.first_draw or table.action
    _receive(table, action.cards, len(action.cards) if again else table.rules.draw_count - turn.gained)
    if again:
        turn.owed = 0


def _receive(table: Table, cards: tuple[int, ...], due: int) -> None:
    """Cards drawn by the seat whose turn it is, of which so many are due beside threes that are laid."""
    turn, book, rules = table.turn, table.book, table.rules
    seat, side = turn.seat, turn.side
    kept = 0 if rules.red3_use == "lay_replace" else len(cards) - due
    excess = 0
    three_last = False
    for card in cards:
        excess += due <= 0
        card = take_from_stock(table, card)
        kind = kind_of(card)
        chosen = rules.red3_use == "discardable" and kind == RED_THREES and kept > 0
        if chosen or kind in book.laid_threes:
            kept -= chosen
            if not table.stock and rules.last_red3 == "stays_in_hand":
                table.give(seat, card)
                three_last = True
                continue
            table.red_threes[side].append(card)
            turn.shown_reds.append(card)
            continue
        table.give(seat, card)
        if kind == RED_THREES and rules.red3_use == "discardable":
            turn.drawn_reds.append(card)
        turn.gained += 1
        due -= 1
    if excess:
        table.fault(
            "draw_count",
            f"seat {seat} draws {show_cards(cards)}; it draws {rules.draw_count} beside red threes that are laid",
        )
    turn.owed = max(due, 0) if table.stock else 0
    if three_last or (not table.stock and not turn.gained):
        end_by_three(table)


def end_by_three(table: Table) -> None:
    """The last card of the stock is a three, kept or drawn alone: the deal ends, or the player may still meld."""
    if table.rules.last_red3 == "meld_no_discard":
        table.turn.last_three = True
    else:
        table.end("red_three")


def tell_shown(table: Table, action: Action) -> bool:
    """A red three already laid, told of afterwards, alone."""
    shown = table.turn.shown_reds
    if action.seat == table.turn.seat and action.cards[0] in shown and len(action.cards) == 1:
        shown.remove(action.cards[0])
        return True
    return False


def lay_red_three(table: Table, action: Action) -> None:
    """Lay a three in a turn: tell of one laid already, or lay one kept where the rules leave the choice."""
    turn, card = table.turn, action.cards[0]
    if card in turn.shown_reds and not gives_up(table, action):
        turn.shown_reds.remove(card)
        if len(action.cards) > 1:
            if not turn.owed:
                table.fault("draw_count", f"seat {action.seat} draws {show_cards(action.cards[1:])}; no card is due")
            _receive(table, action.cards[1:], turn.owed)
        return
    if table.rules.red3_use == "on_clean_canasta" and kind_of(card) == RED_THREES:
        _lay_on_canasta(table, action)
        return
    held = table.hands[action.seat - 1].cards.count(card)
    if not may_lay(table, card) or not table.remove(action.seat, card):
        table.fault("card_not_held", f"seat {action.seat} lays {CARDS[card]}, no red three in its hand")
        return
    # A red three of a foot nobody told of is laid as it is taken up.
    may_lay_now = table.book.keeps_a_three or (turn.had_foot and turn.seat == action.seat and held < 1)
    if kind_of(card) in table.book.laid_threes and not may_lay_now:
        table.fault("red_three_kept", f"seat {action.seat} kept {CARDS[card]}, which must be laid at once")
    received = replace_red_three(table, action)
    if card in turn.drawn_reds:
        turn.drawn_reds.remove(card)
        turn.drawn_reds += [new for new in received if kind_of(new) == RED_THREES]
        turn.gained += len(received) - 1
        if not table.stock and not turn.gained and not turn.melded_after:
            end_by_three(table)


def may_lay(table: Table, card: int) -> bool:
    """A red three, or a black one where both are bonus cards."""
    lays_red = table.rules.red3_use != "on_clean_canasta"
    return (kind_of(card) == RED_THREES and lays_red) or kind_of(card) in table.book.laid_threes


def _lay_on_canasta(table: Table, action: Action) -> None:
    """A red three on a clean canasta of the side, one on each (RULES §9)."""
    turn, seat, card = table.turn, action.seat, action.cards[0]
    if not turn.began:
        table.fault("draw_first", f"seat {seat} lays {CARDS[card]} before drawing or taking the pile")
    if not table.remove(seat, card):
        table.fault("card_not_held", f"seat {seat} lays {CARDS[card]}, not in its hand")
    clean = sum(1 for meld in table.melds[turn.side] if meld.is_canasta and meld.sort == "natural")
    laid = table.red_threes[turn.side]
    if sum(kind_of(other) == RED_THREES for other in laid) >= clean:
        table.fault(
            "clean_canasta", f"seat {seat} lays {CARDS[card]}; its side has {clean} clean canastas, one takes one"
        )
    laid.append(card)
    if len(action.cards) > 1:
        table.fault("draw_count", f"seat {seat} draws {show_cards(action.cards[1:])} for {CARDS[card]}; nothing does")


def replace_red_three(table: Table, action: Action) -> list[int]:
    """Lay a red three taken out of the hand; a red three that replaces it is laid too when its own replacement follows.

    Returns the cards received.
    """
    seat, (card, *others) = action.seat, action.cards
    laid = table.red_threes[table.book.side_of[seat]]
    laid.append(card)
    if not others and table.stock:
        others = [UNKNOWN]
        table.invented += 1
    received = []
    for place, replacement in enumerate(others, 1):
        replacement = take_from_stock(table, replacement)
        last = not table.stock and not table.dealing and kind_of(replacement) in table.book.laid_threes
        if (place < len(others) or last) and may_lay(table, replacement):
            laid.append(replacement)
            continue
        table.give(seat, replacement)
        received.append(replacement)
    if len(received) > 1:
        table.fault(
            "draw_count", f"seat {seat} draws {show_cards(others)} for {CARDS[card]}; one replaces it", seat=seat
        )
    return received
