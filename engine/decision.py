"""Decision functions: what a strategy is made of.

`@strategy(kind=…, weights={…})` turns a plain function `(table, hand, rules, weights, plan)` into a
`Decision`. It is compiled alone, always with bounds checks, for one signature shared by all, so
that the kernel neither knows nor recompiles for it. Weights reach it as floats in declared order.

kind      answers
draw      DRAW, TAKE (the plan holds the cards from the hand that justify it) or PASS at an empty stock
melds     anything; the plan holds the cards to lay, or asks the partner; called until it stays empty
discard   a card code held in the hand
answer    1 yes, 0 no: may the partner go out?
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

import numba
import numpy as np

from engine.errors import BadInput
from engine.jit import INTERPRETED, KERNEL_DIGEST, compile_checked, digest_of
from engine.kernel.loops import DECISION
from engine.kernel.outline import link, signature_of
from engine.kernel.state import MAX_WEIGHTS

KINDS = ("draw", "melds", "discard", "answer")
BUILT_IN = Path(__file__).parent / "strategies"
_PARTS = sorted(path for path in BUILT_IN.glob("*.py") if path.name != "__init__.py")
_PARTS_DIGEST = digest_of(_PARTS, salt=KERNEL_DIGEST)
F = TypeVar("F", bound=Callable[..., object])


def outlined(function: F) -> F:
    """`engine.kernel.outline.outline` for what strategies share: compiled once, cached with them, bounds checked."""
    if INTERPRETED:
        return function
    signature = signature_of(function)
    compiled = compile_checked(function, signature, f"strategies-{_PARTS_DIGEST}")
    return cast(F, link(compiled, signature, f"canasta_{_PARTS_DIGEST}_{function.__name__}"))


@dataclass(frozen=True)
class Decision:
    """One decision function: its kind, its weights with their defaults and meanings, and its compiled form."""

    kind: str
    function: Callable[..., int]
    weights: Mapping[str, float] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @property
    def source(self) -> Path:
        """File the function stands in."""
        return Path(inspect.getfile(self.function))

    @cached_property
    def digest(self) -> str:
        """Digest of everything the compiled function is made of, as it was when first asked for."""
        if not self.source.is_file():  # typed into a notebook or a shell
            return digest_of(_PARTS, salt=KERNEL_DIGEST + _text_of(self.function))
        if self.source.parent == BUILT_IN:
            return _PARTS_DIGEST
        return digest_of([*_PARTS, self.source], salt=KERNEL_DIGEST)

    @cached_property
    def compiled(self) -> Callable[..., int]:
        """The function compiled for the kernel; BadInput when it does not compile."""
        try:
            if not self.source.is_file():  # a cache needs a file whose changes it can notice
                return numba.njit(DECISION, nogil=True, error_model="numpy", boundscheck=True)(self.function)
            return compile_checked(self.function, DECISION, f"strategies-{self.digest}")
        except Exception as error:  # Numba lets errors of many kinds through: a name misspelt is a KeyError
            raise BadInput(
                f"{self.name} in {self.source.name} does not compile as a {self.kind} decision: {_explain(error)}"
            ) from error

    def weigh(self, changes: Mapping[str, float]) -> np.ndarray:
        """The weights as float64 [32] in declared order, with changes; BadInput for one that is not declared."""
        unknown = sorted(set(changes) - set(self.weights))
        if unknown:
            allowed = ", ".join(self.weights) or "none"
            raise BadInput(f"unknown weight '{unknown[0]}' of {self.name}; its weights: {allowed}")
        values = np.zeros(MAX_WEIGHTS)
        for place, (name, default) in enumerate(self.weights.items()):
            values[place] = changes.get(name, default)
        return values


def _text_of(function: Callable[..., int]) -> str:
    """What a function without a file does, as text: its source where Python kept it, else its code and constants."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_consts, code.co_names))


def _explain(error: Exception) -> str:
    """The line of a compile error that says what is wrong."""
    if isinstance(error, KeyError):
        return f"there is no {error} in the table, hand, rules or plan"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "Failed in nopython mode pipeline" not in line]
    return telling[0] if telling else type(error).__name__


Weights = Mapping[str, float | tuple[float, str]]


def strategy(kind: str, weights: Weights | None = None) -> Callable[[Callable[..., int]], Decision]:
    """Declare a decision function of a kind; `weights` are name: default, or name: (default, meaning)."""
    if kind not in KINDS:
        given_kind = f"'{kind}'" if isinstance(kind, str) else "no kind"
        raise BadInput(f"@strategy(kind=…) got {given_kind}; kinds: {', '.join(KINDS)}")
    given = dict(weights or {})
    if len(given) > MAX_WEIGHTS:
        raise BadInput(f"{len(given)} weights declared; at most {MAX_WEIGHTS} fit")
    values = {name: float(value[0] if isinstance(value, tuple) else value) for name, value in given.items()}
    meanings = {name: value[1] for name, value in given.items() if isinstance(value, tuple)}
    return lambda function: Decision(kind, function, values, meanings)
