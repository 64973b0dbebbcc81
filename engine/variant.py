"""Variants: named sets of rules in TOML files, the user's own files, and changes made to them.

A file holds `base` (a variant or a TOML file beside it), the parameters it changes, and what is known
about it: `title`, `source`, `confidence` (H two sources or a rules body, M one good source, L partly
assumed), `note`. The built-in ones lie in engine/variants; the folder is the registry.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.parameter_text import FrozenMap, near, shorten
from engine.parameters import PARAMETERS, Rules, parameter_named

FOLDER = Path(__file__).parent / "variants"
LONGEST_CHAIN = 20
ABOUT = ("base", "title", "source", "confidence", "note")
"""Keys of a variant file that are no parameter."""
SLUG_LIMIT = 100


@dataclass(frozen=True)
class Variant:
    """A named set of rules.

    `file_changes` is what its file changes from `base`; `changes` what was changed on top of the file
    (`--set`), which shows in the slug. Both hold normal values in order of declaration.
    """

    name: str
    base: str | None
    rules: Rules
    changes: Mapping[str, Any]
    source: str
    confidence: str
    note: str
    title: str
    file_changes: Mapping[str, Any]

    @property
    def slug(self) -> str:
        """Name for paths, of `[a-z0-9_.~-]`: the same for the same name and changes, different for others."""
        words = [f"{name}-{_slug_of(PARAMETERS[name].show(value))}" for name, value in self.changes.items()]
        slug = ".".join([self.name, *words])
        if len(slug) <= SLUG_LIMIT:
            return slug
        return f"{self.name}.{hashlib.sha256(slug.encode()).hexdigest()[:16]}"

    def __repr__(self) -> str:
        given = {**self.file_changes, **self.changes}
        changes = ", ".join(f"{name}={PARAMETERS[name].show(value)}" for name, value in given.items())
        return f"{self.slug}: {self.base or self.name} with {changes}" if changes else self.slug

    def diff(self, other: Variant | str) -> dict[str, tuple[str, str]]:
        """Parameters in which this and another variant, or that of a name, differ: name → (own value, the other's)."""
        pairs = self.rules.differences((load_variant(other) if isinstance(other, str) else other).rules).items()
        return {name: (PARAMETERS[name].show(own), PARAMETERS[name].show(theirs)) for name, (own, theirs) in pairs}


def variant_names() -> tuple[str, ...]:
    """Names of the built-in variants, `classic4` first, then by name."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "classic4", name)))


def load_variant(name_or_path: str, changes: Mapping[str, object] | None = None) -> Variant:
    """The variant of a built-in name or of a TOML file, with changes on top.

    `changes` maps parameter (or `map_parameter.key`) to value, as `parse_changes` gives; what equals the
    variant's own value is dropped. Raises BadInput for whatever cannot be used.
    """
    variant = _load(str(name_or_path), Path(), ())
    if not changes:
        return variant
    rules = _changed(variant.rules, changes)
    return Variant(
        variant.name,
        variant.base,
        rules,
        _own(rules, variant.rules),
        variant.source,
        variant.confidence,
        variant.note,
        variant.title,
        variant.file_changes,
    )


def parse_changes(words: Iterable[str]) -> dict[str, Any]:
    """Changes written `parameter=value` (or `map_parameter.key=value`): name → normal value, or key's text.

    Of two words for one parameter BadInput is raised, as for an unknown name or a value not allowed.
    """
    changes: dict[str, Any] = {}
    for word in words:
        name, mark, text = word.partition("=")
        name = name.strip()
        if not mark:
            raise BadInput(f"'{shorten(word)}' is no change; write parameter=value, such as canastas_out=2")
        if name in changes:
            raise BadInput(f"{name} is set twice; give one value")
        head, dot, _ = name.partition(".")
        parameter = parameter_named(head)
        changes[name] = text.strip() if dot else parameter.check(text)
    return changes


def _own(rules: Rules, base: Rules) -> FrozenMap:
    return FrozenMap({name: mine for name, (mine, _) in rules.differences(base).items()})


def _slug_of(text: str) -> str:
    text = text.lower().replace("<", "lt").translate(str.maketrans(",;=:", "~~--"))
    return re.sub(r"[^a-z0-9_~-]", "_", text)


def _changed(base: Rules, changes: Mapping[str, object]) -> Rules:
    values: dict[str, Any] = base.as_dict()
    for name, value in changes.items():
        head, dot, key = name.partition(".")
        parameter = parameter_named(head)
        if not dot:
            values[head] = value
            continue
        if not isinstance(values[head], dict):
            raise BadInput(f"{name}: {head} is no map, it has no keys; allowed: {head}={parameter.allowed}")
        values[head] = {**values[head], key: value}
    return Rules.from_dict(values)


def _load(name: str, folder: Path, seen: tuple[Path, ...]) -> Variant:
    path = _find(name, folder)
    if path in seen:
        raise BadInput(
            f"{path.name}: base leads back to the file itself; allowed: a chain of bases that ends at a built-in one"
        )
    stem = path.stem
    about = _read(path)
    changes = {key: value for key, value in about.items() if key not in ABOUT}
    if len(seen) >= LONGEST_CHAIN:
        raise BadInput(f"{path.name}: the {LONGEST_CHAIN}th base in a row; allowed: a chain that ends sooner")
    base_name = about.get("base")
    if base_name is None:
        if path.parent != FOLDER:
            raise BadInput(f'{path.name}: no base; write base = "classic4" or another variant')
        base = Rules()
    else:
        base = _load(base_name, path.parent, (*seen, path)).rules
    try:
        rules = _changed(base, changes)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from None
    return Variant(
        stem,
        base_name,
        rules,
        FrozenMap(),
        about.get("source", ""),
        about.get("confidence", ""),
        about.get("note", ""),
        about.get("title", stem),
        _own(rules, base),
    )


def _find(name: str, folder: Path) -> Path:
    if not name.endswith(".toml"):
        if name in variant_names():
            return FOLDER / f"{name}.toml"
        raise BadInput(
            f"unknown variant '{shorten(name)}'{near(name, variant_names())}; allowed: a name that `canasta "
            "variants` lists, or a file ending in .toml"
        )
    path = (folder / name).resolve()
    if not path.is_file():
        raise BadInput(f"no variant file {name}; allowed: a TOML file with base and changes")
    if path.parent != FOLDER and path.stem in variant_names():
        raise BadInput(f"{name} has the name of a built-in variant; allowed: another file name")
    if not re.fullmatch(r"[a-z0-9_-]{1,40}", path.stem):
        raise BadInput(f"{name} cannot name a variant; allowed: a file name of up to 40 of a-z 0-9 _ -")
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        about = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path.name} is no readable TOML file: {' '.join(str(error).split())}") from None
    for key in ABOUT:
        if not isinstance(about.get(key, ""), str):
            raise BadInput(f"{path.name}: {key}={about[key]} is no text")
    if about.get("confidence", "") not in ("", "H", "M", "L"):
        raise BadInput(f"{path.name}: confidence={about['confidence']} is not allowed; allowed: H, M, L")
    return about
