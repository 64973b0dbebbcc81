"""The one compile decorator, and the cache folders named by a digest of what they compile.

Numba's own cache looks only at the file of the cached function and would run old callees after an
edit elsewhere. So every compiled function is cached in a folder named by a digest of *all* sources
it can reach: the kernel's own files for the kernel, those plus the strategy's file for a strategy.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

# Strategies are passed to the kernel as typed first-class functions, a feature Numba calls experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

_HERE = Path(__file__).parent
_READ_BY_KERNEL = (
    *("cards", "jit", "log", "log_words", "block", "faults", "rng"),
    *("parameter_kinds", "parameter_tables", "parameters", "rules"),
)
F = TypeVar("F", bound=Callable[..., object])


def digest_of(paths: Iterable[Path], *, salt: str = "") -> str:
    """First 16 hex digits of a digest of the files' contents, Numba's version and a salt."""
    whole = hashlib.sha256(f"{numba.__version__} {salt}".encode())
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def _cache_places() -> Iterator[Path]:
    base = os.environ.get("CANASTA_CACHE")
    if base:
        yield Path(base)
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "canasta-lab"
    yield Path(tempfile.gettempdir()) / f"canasta-lab-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


@cache
def cache_root() -> Path:
    """Folder of all compile caches: `CANASTA_CACHE`, else the user's cache folder, else one for temporary files.

    The first that can be written: where none can, Numba would keep its caches beside the sources, and those do
    not notice a changed callee. Then a folder made for this process is used.
    """
    for place in _cache_places():
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                return place
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="canasta-lab-"))


KERNEL_DIGEST = digest_of(
    [*(_HERE / f"{name}.py" for name in _READ_BY_KERNEL), *sorted((_HERE / "kernel").glob("*.py"))]
)
"""Digest of the sources that decide how cards are played."""
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
"""Whether Python plays instead of compiled code, as Numba's own switch says."""
BOUNDSCHECK = bool(os.environ.get("CANASTA_BOUNDSCHECK"))
_PLACE = hashlib.sha256(str(_HERE).encode()).hexdigest()[:8]  # Numba keeps apart the same sources in two places
KERNEL_CACHE = cache_root() / f"kernel-{KERNEL_DIGEST}-{_PLACE}{'-checked' if BOUNDSCHECK else ''}"
INNER_CACHE = KERNEL_CACHE / "inner"
# What `engine/__init__.py` sets is read now: else Numba, imported first, reads it at the first compile and forgets
# the folder given here.
numba.config.reload_config()
numba.config.CACHE_DIR = str(KERNEL_CACHE)  # type: ignore[attr-defined]
KERNEL_OPTIONS: dict[str, Any] = {
    **{"nogil": True, "cache": True},
    **{"error_model": "numpy", "boundscheck": BOUNDSCHECK},
}
"""What Numba is told of every function of the kernel."""
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Numba reads the folder of a function's cache when the function is decorated."""
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


@contextlib.contextmanager
def compiling_at(level: int) -> Iterator[None]:
    """Compile at a level of Numba's own (0 to 3) for a while: what is called seldom is not worth the time of more."""
    before = numba.config.OPT  # type: ignore[attr-defined]
    numba.config.OPT = type(before)(level)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.OPT = before  # type: ignore[attr-defined]


def _widen(kind: Any) -> Any:
    """The type that stands for all whole numbers and truths, so that a function is compiled once for all of them."""
    if isinstance(kind, types.Boolean | types.BooleanLiteral | types.IntegerLiteral):
        return types.int64
    whole: Any = kind if isinstance(kind, types.Integer) else None
    return types.int64 if whole is not None and (whole.signed or whole.bitwidth < 64) else kind


def _compile_once(dispatcher: Any, inner: Any) -> Any:
    """Let compiled callers meet `inner`, one version of a function whatever the width of the numbers they give it.

    `inner` has no wrappers to be called from Python by, which cost more than many a function; where Python calls,
    `dispatcher` is compiled.
    """
    if not hasattr(dispatcher, "get_call_template"):  # interpreted
        return dispatcher
    find = inner.get_call_template
    dispatcher.get_call_template = lambda kinds, named: find(tuple(map(_widen, kinds)), named)
    dispatcher.get_overload = inner.get_overload
    return dispatcher


def jit(function: F) -> F:
    """Compile a kernel function: lazily, cached, releasing the GIL, for whole numbers of any width at once."""
    with _caching_in(INNER_CACHE):
        inner = numba.njit(**KERNEL_OPTIONS, **_NO_WRAPPERS)(function)
    return cast(F, _compile_once(numba.njit(**KERNEL_OPTIONS)(function), inner))


def compile_now(function: Any, signature: object) -> Any:
    """Compile what `jit` made for one signature, to be called from Python or given to compiled code."""
    return numba.njit(signature, **KERNEL_OPTIONS)(function.py_func)


@intrinsic
def _count_trailing_zeros(context: object, bits: object) -> object:
    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> object:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@numba.njit(error_model="numpy")
def _find_lowest_compiled(bits: int) -> int:
    return int(_count_trailing_zeros(np.int64(bits)))  # type: ignore[call-arg]


def _find_lowest_plain(bits: int) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


find_lowest = _find_lowest_plain if INTERPRETED else _find_lowest_compiled
"""Place of the lowest bit set in a mask that is not 0: what to walk a mask with, rank by rank."""


def part(function: F) -> F:
    """Compile what several strategies share: never cached alone, so that no strategy runs an old one."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}
    return cast(F, _compile_once(numba.njit(**options)(function), numba.njit(**options, **_NO_WRAPPERS)(function)))


def compile_checked(function: F, signature: object, folder: str) -> F:
    """Compile a decision function for one signature, always bounds-checked, cached under `folder`."""
    with _caching_in(cache_root() / folder):
        return cast(F, numba.njit(signature, nogil=True, cache=True, error_model="numpy", boundscheck=True)(function))


def is_cached() -> bool:
    """Whether the kernel has been compiled on this machine before; its last part is."""
    return KERNEL_CACHE.exists() and any(KERNEL_CACHE.rglob("game.play_turn-*.nbc"))
