"""Why the kernel refuses a choice: codes for compiled code, words for people."""

from __future__ import annotations

FAULTS = {
    "none": "",
    "not_held": "lays or discards a card the hand does not hold",
    "wrong_meld": "aims a card at a meld it cannot join",
    "meld_invalid": "leaves a meld with fewer than three cards, too few naturals or too many wild cards",
    "black_threes": "melds black threes without going out with three or more of them",
    "minimum": "opens with fewer points than the minimum",
    "keeps_too_few": "keeps too few cards without the right to go out",
    "out_refused": "goes out although the partner said no",
    "out_promised": "does not go out although the partner was asked and said yes",
    "out_discard": "goes out without the discard these rules require",
    "take_illegal": "takes a pile it may not take in this way",
    "must_take": "leaves a pile the rules force it to take",
    "discard_banned": "discards a card these rules do not let it discard",
    "no_discard": "ends the turn without a discard while holding cards",
    "ask_illegal": "asks the partner when it may not",
    "red_three": "lays a red three it does not hold or may not lay",
    "too_early": "lays a meld before the round from which these rules allow it",
    "unasked": "goes out without the leave these rules make it ask for, or with a reserve still to be taken up",
    "special_illegal": "declares a special hand it does not hold or may not declare",
    "changed_table": "changed the table or its hand, which a strategy may only read",
    "unknown_answer": "answers what is no answer to the question",
    "opening_content": "opens without what these rules ask of an opening",
    "join_illegal": "combines melds these rules do not let it combine",
}
"""Every reason for which the kernel stops a strategy, in the order of its codes."""
_CODES = {name: code for code, name in enumerate(FAULTS)}


def fault(name: str) -> int:
    """Code of a fault's name, for constants in compiled code."""
    return _CODES[name]
