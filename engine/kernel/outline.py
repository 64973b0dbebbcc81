"""Functions compiled by themselves and called by address: what only some rules need, kept out of every caller's code.

Numba puts the whole of what a function calls into its own machine code, again at each level. What is reached from many
places by long ways would cost most of the first compile; an outlined function costs once. Its parameters are named by
what they are, so that one list of types serves all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import llvmlite.binding  # type: ignore[import-untyped]
import numba
from numba import types
from numba.experimental.function_type import _get_wrapper_address

from engine import second_compiler
from engine.block import LOG
from engine.jit import INTERPRETED, KERNEL_DIGEST, KERNEL_OPTIONS, compiling_at
from engine.kernel.state import CROUPIER, GUARD, HAND, PLAN, SEATS, TABLE
from engine.rules import RULES

F = TypeVar("F", bound=Callable[..., object])
LAST = ("engine.kernel.opening", "engine.kernel.lay")
"""Modules whose outlined functions a second process compiles before the loops: the first would come to them last."""
OUTLINED_LEVEL = 1
"""Numba's level for what only some rules call: seldom enough that a quick compile counts for more."""
_OPTIONS = {**KERNEL_OPTIONS, "no_cpython_wrapper": True}  # Python calls none of them
_RECORDS = {
    **{"table": TABLE, "hand": HAND, "seats": SEATS, "guard": GUARD},
    **{"rules": RULES, "plan": PLAN, "croupier": CROUPIER, "log": LOG},
}
_TYPES = {name: numba.from_dtype(dtype) for name, dtype in _RECORDS.items()}


def outline(function: F) -> F:
    """Compile a kernel function at once and let compiled code call it by address; it returns a whole number.

    Parameters called as `_RECORDS` calls them are those records, all others whole numbers.
    """
    if INTERPRETED:
        return function
    signature = signature_of(function)
    symbol = f"canasta_{KERNEL_DIGEST}_{function.__name__}"
    if second_compiler.is_second() and function.__module__ not in LAST:  # its callers are compiled, none is called
        llvmlite.binding.add_symbol(symbol, id(function))
        return cast(F, types.ExternalFunction(symbol, signature))
    second_compiler.start()
    with compiling_at(OUTLINED_LEVEL):
        compiled: Any = numba.njit(signature, **_OPTIONS)(function)
    return cast(F, link(compiled, signature, symbol))


def signature_of(function: Callable[..., object], **given: Any) -> Any:
    """The types of a function whose parameters are named by what they are; `given` are the types of other names."""
    kinds = {**_TYPES, **given}
    return types.int64(*(kinds.get(name, types.int64) for name in inspect.signature(function).parameters))


def link(compiled: Any, signature: Any, symbol: str) -> Any:
    """What compiled code calls by the address that a compiled function has in this process."""
    llvmlite.binding.add_symbol(symbol, _get_wrapper_address(compiled, signature))
    return types.ExternalFunction(symbol, signature)
