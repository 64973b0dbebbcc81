"""Random streams: one key for each deal and each seat, from the run's seed and the numbers of game and deal.

splitmix64, entirely in uint64 (mixing widths gives floats in NumPy). Deals depend on (seed, game,
deal) alone, so any deal can be dealt again from its numbers, on any worker.
"""

from __future__ import annotations

import numpy as np

from engine.jit import jit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@jit
def mix(value):
    """Scramble a uint64 into a uint64."""
    value = (value ^ (value >> _S30)) * _M1
    value = (value ^ (value >> _S27)) * _M2
    return value ^ (value >> _S31)


@jit
def key_of(seed, game, deal, seat):
    """Key of a random stream: seat 0 is the pack's, seats count from 1; deal 0 is the game's own."""
    key = mix(np.uint64(seed) + _GOLDEN)
    key = mix(key + np.uint64(game) * _GOLDEN)
    key = mix(key + np.uint64(deal) * _GOLDEN)
    return mix(key + np.uint64(seat) * _GOLDEN)


@jit
def below(record, count):
    """A random int 0..count−1 from the stream in `record.rng`, which moves on."""
    record.rng = record.rng + _GOLDEN
    high = mix(record.rng) >> _S32
    return np.int64((high * np.uint64(count)) >> _S32)


@jit
def shuffle(pack, size, key):
    """Shuffle the first `size` cards in place by a stream that starts at `key`."""
    for last in range(size - 1, 0, -1):
        key = key + _GOLDEN
        other = np.int64(((mix(key) >> _S32) * np.uint64(last + 1)) >> _S32)
        card = pack[last]
        pack[last] = pack[other]
        pack[other] = card
