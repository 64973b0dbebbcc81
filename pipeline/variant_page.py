"""A variant told to people: what is known about it, then the rules it changes, in lines that fit a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from engine.rules import PARAMETERS, Variant, find_warnings
from pipeline.variant_rows import describe_variant

WIDTH = 80
CONFIDENCES = {
    "H": "two sources or a rules body",
    "M": "one good source",
    "L": "partly assumed",
    "": "not stated",
}
"""What the marks of a variant file's `confidence` mean."""


def say_marks() -> str:
    """One line on what the marks mean."""
    return ", ".join(f"{mark} {meaning}" for mark, meaning in CONFIDENCES.items() if mark)


def write_variant(variant: Variant, base: Variant | None) -> str:
    """What is known of the variant, then its rules.

    Those that differ from the base come with their meaning, all others by name and value; every rule with its meaning
    where there is no base.
    """
    mark, by_hand = variant.confidence, variant.changes
    known = f"{mark} ({CONFIDENCES[mark]})" if mark else CONFIDENCES[mark]
    about = {
        "base": variant.base if base is None else base.slug,
        "changed by hand": ", ".join(f"{name}={PARAMETERS[name].show(value)}" for name, value in by_hand.items()),
        "source": f"{variant.source}, without what is changed" if by_hand and variant.source else variant.source,
        "note": f"{variant.note} (of {variant.name} as it is)" if by_hand and variant.note else variant.note,
        "confidence": f"{known} for {variant.name}, none for what is changed" if by_hand and mark else known,
        "playable": describe_variant(variant)["playable"],
        "warning": "; ".join(find_warnings(variant.rules)),
    }
    lines = [*_fold(f"{variant.slug}: {variant.title}")]
    for key, text in about.items():
        if text:
            lines += _fold(f"{key}: {text}")
    if base is None:
        return "\n".join([*lines, "", *_explain(variant, PARAMETERS, {})])
    changed = {
        name: PARAMETERS[name].show(theirs) for name, (_, theirs) in variant.rules.differences(base.rules).items()
    }
    lines += [
        "",
        f"Rules that are not those of {base.slug}:" if changed else f"All rules are those of {base.slug}.",
        "",
    ]
    lines += [*_explain(variant, changed, changed), "", "All others:", ""]
    rest = (
        f"{name}={PARAMETERS[name].show(getattr(variant.rules, name))}" for name in PARAMETERS if name not in changed
    )
    lines += _fold("  ".join(rest))
    return "\n".join(lines)


def _explain(variant: Variant, names: Iterable[str], theirs: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        parameter = PARAMETERS[name]
        was = f"  (not {theirs[name]})" if name in theirs else ""
        yield from _fold(f"{name} = {parameter.show(getattr(variant.rules, name))}{was}")
        yield from textwrap.wrap(parameter.meaning, WIDTH, initial_indent="    ", subsequent_indent="    ")


def _fold(text: str) -> list[str]:
    """Lines of at most the width, folded at blanks and after the commas of a value."""
    parted = re.sub(r"([,;])(?=\S)", "\\1\0 ", text)
    lines = textwrap.wrap(parted, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    return [line.replace("\0 ", "").replace("\0", "") for line in lines]
