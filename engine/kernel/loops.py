"""The loops of play as Python runs them: compiled for one list of types, a turn by itself and called by address.

Inside the loops over deals and games a turn would be compiled again at each level.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import types

from engine import second_compiler
from engine.jit import INTERPRETED, compile_now
from engine.kernel.game import play_games, play_turn
from engine.kernel.outline import signature_of
from engine.kernel.state import HAND, PLAN, TABLE
from engine.log import MAX_SEATS
from engine.rules import RULES

DECISION = types.int64(
    *(numba.from_dtype(TABLE), numba.from_dtype(HAND), numba.from_dtype(RULES)),
    *(types.float64[::1], numba.from_dtype(PLAN)),
)
"""What every decision function of a strategy is compiled for."""
_CHOOSES = types.FunctionType(DECISION)
_ALL_CHOOSE = types.UniTuple(_CHOOSES, MAX_SEATS)
_TURN = signature_of(
    play_turn, choose_draw=_CHOOSES, choose_melds=_CHOOSES, choose_discard=_CHOOSES, answers=_ALL_CHOOSE
)
_GAMES = signature_of(
    play_games,
    **dict.fromkeys(("draws", "melds", "discards", "answers"), _ALL_CHOOSE),
    play_one_turn=types.FunctionType(_TURN),
)


def compile_loops() -> tuple[Any, Any]:
    """`play_games`, and the `play_turn` to give it."""
    if INTERPRETED:
        return play_games, play_turn
    return compile_now(play_games, _GAMES), compile_now(play_turn, _TURN)


@cache
def loops() -> tuple[Callable[..., int], Callable[..., int]]:
    """The same, from the cache folder once a second process has compiled them into it."""
    if not INTERPRETED:
        second_compiler.wait()
    return compile_loops()
