"""docs/parameters.md, written from the declarations and the variant files."""

from __future__ import annotations

from engine.errors import BadInput
from engine.parameters import PARAMETERS, Rules
from engine.rule_checks import check_playable
from engine.variant import Variant, load_variant, variant_names

HEAD = """# Parameters of the rules

Written by `make docs` from `engine/parameters.py` and `engine/variants/`; do not edit by hand.

{parameters} parameters express the {variants} built-in variants. Each can be changed, by `--set` or in your own file:

```
canasta simulate --variant classic4 --set canastas_out=2 --set initial_minimums="<0:15;0:50;1500:90"
```

```toml
# mine.toml, given as --variant mine.toml
base = "classic4"
canastas_out = 2
freeze_by = ["wild", "red3_upcard", "black3"]
"canasta_bonus.natural" = 600
out_bonus = {{ out = 200, concealed = 400, concealed_plain = 200 }}
```

How values are written in `--set` (a file may use the same text, or TOML's own lists and tables):

| type | text |
|---|---|
| number | `2`; `none` where allowed |
| yes or no | `yes` `no` |
| word | `always` |
| set of words | `wild,black3`; `none` for the empty set |
| list of numbers | `100,200,300,800` |
| rows | `<0:15;0:50;1500:90`: from a score (or deal) on; `<0` = below every other row |
| map | `natural=600,mixed=300` for the whole map, `none` if empty; `canasta_bonus.natural=600` for one key |

*Plays now* says which values the engine plays; the others are valid rules, refused by name until it does. Sections
(§) are those of [rules.md](rules.md). Card values are the same in every variant and no parameter; §1.12 has the
conventions that need none.
"""
VARIANTS = """## Variants

A variant is its base plus the changes. Confidence: H two sources or a rules body, M one good source, L partly
assumed."""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


def _table(*rows: tuple[str, ...]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _group(group: str) -> str:
    rows = [
        (
            _code(name),
            parameter.type,
            _cell(parameter.allowed.replace("<", "\\<")),
            _code(parameter.show(parameter.default)),
            _cell(parameter.playable_now),
            _cell(parameter.meaning.replace("<", "\\<")),
            parameter.source,
        )
        for name, parameter in PARAMETERS.items()
        if parameter.group == group
    ]
    return f"## {group}\n\n" + _table(("name", "type", "allowed", "`classic4`", "plays now", "meaning", "rules"), *rows)


def _playable(rules: Rules) -> str:
    try:
        check_playable(rules)
    except BadInput:
        return "no"
    return "yes"


def _variant(variant: Variant) -> tuple[str, ...]:
    changes = "<br>".join(
        _code(f"{name}={PARAMETERS[name].show(value)}") for name, value in variant.file_changes.items()
    )
    return (
        _code(variant.name),
        variant.title,
        _code(variant.base) if variant.base else "–",
        variant.confidence,
        _playable(variant.rules),
        changes or "–",
        _cell(variant.note),
        variant.source.removeprefix("docs/rules.md "),
    )


def write_page() -> str:
    """The whole page, Markdown."""
    groups = dict.fromkeys(parameter.group for parameter in PARAMETERS.values())
    variants = [load_variant(name) for name in variant_names()]
    return (
        "\n\n".join(
            [
                HEAD.format(parameters=len(PARAMETERS), variants=len(variants)).strip(),
                *(_group(group) for group in groups),
                VARIANTS,
                _table(
                    ("name", "title", "base", "confidence", "plays now", "changes", "note", "rules"),
                    *(_variant(variant) for variant in variants),
                ),
            ]
        )
        + "\n"
    )
