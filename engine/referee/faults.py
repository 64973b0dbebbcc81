"""Names of the faults the referee finds, each with the rule it breaks and where that rule stands.

The names are stable: programs may rely on them. docs/faults.md is made from this list; sections are
those of docs/rules.md, `CHH` is docs/hand_history.md.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One broken rule: its action (from 1; 0 is the set-up), seat (0 none), the rule's name, a sentence."""

    action: int
    seat: int
    rule: str
    text: str


RULE_TEXTS: dict[str, tuple[str, str]] = {
    # the set-up
    "pack": ("No card appears more often than the pack has it, and no more cards than the pack holds.", "§1.1"),
    "hand_size": ("Every seat is dealt as many cards as the rules say.", "§1.1"),
    "upcard": ("The pile begins as the rules say: cards are turned until one shows that may stay.", "§1.2"),
    "red_three_kept": ("A red three is laid at once where it must be, and is never in a hand.", "§1.3"),
    "red_three_order": (
        "Dealt red threes are laid and replaced before the first turn, in turn order from the dealer's left.",
        "§1.3",
    ),
    # the turn
    "deal_over": ("Nothing is done after the deal has ended.", "§1.9"),
    "wrong_seat": ("Seats act in turn.", "§1.4"),
    "missing_discard": ("A turn ends with a discard, unless the player goes out.", "§1.4"),
    "draw_first": (
        "A turn begins by drawing or by taking the pile; before a take only the cards that justify it are "
        "laid, before a draw none.",
        "§1.4, CHH",
    ),
    "drawn_already": ("One draws from the stock or takes the pile, once; a card drawn ends the choice.", "§1.4"),
    "draw_count": (
        "As many cards are drawn as the rules say, red threes laid and replaced on top of that, fewer only "
        "when the stock ends.",
        "§1.3, §1.11",
    ),
    "stock_empty": ("Nobody draws from an empty stock.", "§1.9"),
    "next_card": ("The card drawn is the next card of the stock.", "CHH"),
    "card_not_held": ("Only a card in the own hand can be laid or discarded.", "§1.4"),
    "discard_ban": (
        "A card the rules ban is not discarded: threes; wilds but as the last card or from a hand of wilds; black "
        "threes in the first round; sevens before every side has a canasta of them, or as the last card; a seven, "
        "ace, wild or dead card onto an empty pile while another natural is held; one freeze more than the limit.",
        "§1.4, §10, §13, §17, house rules",
    ),
    "not_in_rules": ("Actions of other variants (foot, bonus, join, aside, special) are not played here.", "CHH"),
    "too_early": ("Nobody melds or takes the pile before the own turn the rules name.", "house rules"),
    "sits_out": ("Who sits out a deal holds no cards.", "§1.11"),
    "bonus": (
        "Cards beside the draw are as many as the rules give: to who opens its side, or takes the pile.",
        "§7, §10, §15",
    ),
    "foot": (
        "The reserve is taken up once, when the hand is empty, or with the player's first canasta.",
        "§9, §17",
    ),
    "aside": ("Only black threes of the pile taken are put out of play.", "§13"),
    "clean_canasta": ("Each clean canasta of the side takes one red three.", "§9"),
    "last_three": ("Who draws a three as the last card may meld, but does not discard.", "§1.9"),
    "special_hand": (
        "A special hand is declared from fourteen cards that make it up, after a stock draw, by a side that has "
        "not melded.",
        "§10",
    ),
    # melds
    "one_rank": ("A meld is of one rank, and a card joins the meld of its own rank.", "§1.5"),
    "sequence": (
        "A sequence, where it is a meld, is of consecutive cards of one suit, four low and ace high, without wilds.",
        "§1.5, §3",
    ),
    "wild_meld": (
        "Wild cards alone are no meld, where the rules do not say so; where twos are a rank, two of them at least.",
        "§1.5, §4, §7",
    ),
    "second_meld": ("A side has one meld of a rank, where the rules do not allow several.", "§1.5, §3"),
    "join": ("Two own melds of one rank may be joined, where several are allowed.", "§3"),
    "meld_full": (
        "A complete sequence or wild meld takes no card, nor a meld that has the largest size.",
        "§3, §4, §9, §10, §13",
    ),
    "dead_rank": ("Once a canasta of a rank is complete nobody melds that rank, where the rules say so.", "§10"),
    "natural_only": (
        "A rank that refuses wilds takes none: sevens never, aces only in the opening.",
        "§10, §17",
    ),
    "rule_of_five": (
        "Once the side has opened, wilds join only melds of as many naturals as the rules say.",
        "§10",
    ),
    "wild_locked": (
        "While a wild meld of the side is not complete, no wild (of twos as a rank: no two) is melded elsewhere.",
        "§7, §10",
    ),
    "others_meld": ("Nobody adds to another side's meld.", "§1.5"),
    "red_three_meld": ("Red threes are never melded.", "§1.3"),
    "black_three_meld": ("Black threes are melded only by who goes out, three or more, without wilds.", "§1.5"),
    "meld_size": ("A meld has three cards or more when it is judged.", "§1.5"),
    "min_naturals": ("A meld has at least as many naturals as the rules say, two in Classic.", "§1.5"),
    "max_wilds": ("A meld has at most as many wilds as the rules say, three in Classic; canastas too.", "§1.5"),
    "wild_ratio": ("Wilds do not outnumber the naturals of a meld, where the rules say so.", "§1.5, §2"),
    "minimum": (
        "The first melds of a side reach its minimum when first judged: cards from the hand and, with a take, "
        "the upcard.",
        "§1.6",
    ),
    "opening_content": (
        "What opens a side holds what the rules ask: naturals only, a clean triple, a canasta; no mixed canasta "
        "with a triple.",
        "§5, §7, §10",
    ),
    # the pile
    "opening_pile": ("The pile is not taken in the turn that opens the side, where the rules forbid it.", "§5, §8, §9"),
    "empty_pile": ("An empty pile cannot be taken.", "§1.7"),
    "stopped_pile": (
        "A pile with a wild, a three or another card on top that blocks it cannot be taken.",
        "§1.7, §1.8, §15",
    ),
    "pile_frozen": ("A frozen pile is taken with a natural pair from the hand.", "§1.7, §1.8"),
    "pile_unopened": ("The pile is frozen for a side that has not melded: it needs a natural pair.", "§1.7, §1.8"),
    "take_way": (
        "An open pile is taken with a natural pair, with a natural and a wild, or by adding the upcard to an "
        "own meld, as far as the rules allow.",
        "§1.7",
    ),
    "add_to_complete": (
        "The upcard is not added to a completed canasta to take the pile, where the rules forbid it.",
        "§1.7",
    ),
    "one_card": ("A player with one card does not take a pile of one card.", "§1.7"),
    "whole_pile": (
        "The whole pile is taken, its top seven cards, or a part whose lowest card is melded, as the rules say.",
        "§1.7, §9, §19",
    ),
    "laid_before_take": ("Before a take an opened side lays only the cards that justify it.", "CHH"),
    # asking and going out
    "asking_off": ("The partner is asked only where the rules know it and there is a partner.", "§1.9"),
    "ask_time": ("One asks once, after drawing or taking and before any other meld of the turn.", "§1.9"),
    "answer": ("The partner next in turn answers at once, and nobody who was not asked.", "§1.9"),
    "answer_no": ("A no forbids to go out in this turn.", "§1.9"),
    "answer_yes": ("A yes obliges to go out in this turn.", "§1.9"),
    "ask_required": ("The partner must have agreed, where the rules demand it.", "§1.9, §5"),
    "out_canastas": ("A side without enough canastas keeps a card after the discard.", "§1.5, §1.9"),
    "out_types": ("The canastas needed to go out are of the types the rules ask for.", "§4, §9, §17"),
    "out_red_threes": ("Who goes out has as many red threes as canastas, where the rules say so.", "§15"),
    "out_open_meld": (
        "Nobody goes out with an incomplete meld of pure aces, sevens or wilds, where the rules say so.",
        "§10",
    ),
    "out_reserve": ("The reserves that must be taken up before going out are taken up.", "§9"),
    "out_discard": ("Going out ends with a discard, where the rules demand it.", "§1.9"),
    # the end of the stock
    "pass_time": ("One passes only when the stock is empty, in place of a turn.", "§1.9"),
    "forced_take": ("With the stock empty an unfrozen pile whose upcard fits an own meld is taken.", "§1.9"),
    # logged deals only
    "log_rows": (
        "Logged moves are in order and complete: numbers, seats, red threes, replacements, cards taken.",
        "the log",
    ),
    "log_deal": ("The logged deal says what its moves give.", "the log"),
    "log_side": ("The logged sides say what the moves give.", "the log"),
    "log_turn": ("The logged turns say what the moves give.", "the log"),
    "log_pile": ("The logged piles say what the moves give.", "the log"),
}
"""Name of every fault → (the rule it breaks, where it stands)."""


def write_faults_page() -> str:
    """The text of docs/faults.md."""
    rows = [f"| `{name}` | {text} | {source} |" for name, (text, source) in RULE_TEXTS.items()]
    return "\n".join(
        [
            "# Faults",
            "",
            "Every fault `canasta check` can find: its name, the rule it breaks, and the section of "
            "[rules.md](rules.md) the rule stands in (CHH: [hand_history.md](hand_history.md)).",
            "Generated by `python -m engine.referee.faults`; do not edit.",
            "",
            "| name | rule | source |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    print(write_faults_page(), end="")
