"""The variants the engine plays now: every test of all of them walks this list, nobody keeps another."""

from __future__ import annotations

from engine.errors import BadInput
from engine.rules import check_playable, load_variant, variant_names


def is_playable(name: str) -> bool:
    """Whether the engine plays the variant of a name."""
    try:
        check_playable(load_variant(name).rules)
    except BadInput:
        return False
    return True


VARIANTS = tuple(name for name in variant_names() if is_playable(name))
