"""Variants as rows of a table, for `canasta variants` and notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.rules import PARAMETERS, Variant, check_playable, load_variant


def describe_variant(variant: Variant) -> dict[str, Any]:
    """A variant in a row: what it is, whether it can be played or why not, what it changes from its base."""
    playable = "yes"
    try:
        check_playable(variant.rules)
    except BadInput as error:
        playable = f"no: {str(error).partition(' is not playable')[0]}"
    changes = {**variant.file_changes, **variant.changes}
    return {
        "variant": variant.slug,
        "title": variant.title,
        "confidence": variant.confidence,
        "playable": playable,
        "base": variant.base,
        "changes": ", ".join(f"{rule}={PARAMETERS[rule].show(value)}" for rule, value in changes.items()),
        "source": variant.source,
        "note": variant.note,
    }


def load_base(name: str, variant: Variant) -> Variant | None:
    """What the variant, loaded from a name or file, is compared with: its base, or itself before changes."""
    if variant.base is None:
        return load_variant(name) if variant.changes else None
    beside = variant.base.endswith(".toml")
    return load_variant(str(Path(name).parent / variant.base) if beside else variant.base)
