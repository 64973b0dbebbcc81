"""The page on the variants: every sentence that compares or counts holds in the tables above it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.rules import load_variant
from pipeline.variant_table import BEGIN, END

PAGE = (Path(__file__).parent.parent / "docs/variants.md").read_text(encoding="utf-8")
WORDS = " ".join(PAGE.partition(END)[2].split())
VALUE = re.compile(r"(?:([a-z][a-z ]*) )?([\d,]+(?:\.\d+)?) \[([\d,.]+), ([\d,.]+)\]")


@dataclass
class Played:
    """A variant's row in all tables; parts of a cell by their word, a plain one under the column's name."""

    best: str
    value: dict[str, float] = field(default_factory=dict)
    ends: dict[str, tuple[float, float]] = field(default_factory=dict)

    def read(self, column: str, cell: str) -> None:
        for word, value, low, high in VALUE.findall(cell):
            name = word or column
            self.value[name] = _number(value)
            self.ends[name] = _number(low), _number(high)

    @property
    def canastas(self) -> float:
        return sum(self.value.get(f"{kind}", 0) for kind in ("natural", "mixed", "wild", "sequence"))


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def read_tables() -> dict[str, Played]:
    rows: dict[str, Played] = {}
    head: list[str] = []
    for line in PAGE.partition(BEGIN)[2].partition(END)[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "variant":
            head = cells
        elif line.startswith("| `"):
            name = cells[0].strip("`")
            if "best" in head:
                rows.setdefault(name, Played(cells[1]))
            for column, cell in zip(head[1:], cells[1:], strict=True):
                rows[name].read(column, cell)
    return rows


ROWS = read_tables()
DEALS, TURNS, POINTS, FROZEN = "deals per game", "turns per deal", "points per side and deal", "frozen turns, %"
SAMBAS, FEET = ("samba", "chilean", "royal_magazzu"), ("hand_and_foot", "hand_and_foot_pagat", "house_devon")
AMERICAN = ("international", "modern_american", "modern_american_pagat")
ALWAYS = (
    "cuban",
    "uruguay",
    "canastone",
    "italian",
    "gamecolony_222",
    "gamecolony_222_3fw",
    "hand_and_foot_pagat",
    *AMERICAN,
)


def of(name: str, column: str) -> float:
    return ROWS[name].value.get(column, 0.0)


def apart(less: str, more: str, column: str) -> bool:
    """Whether the intervals say that one has less than the other."""
    return ROWS[less].ends[column][1] < ROWS[more].ends[column][0]


def alike(one: str, other: str, column: str) -> bool:
    return not apart(one, other, column) and not apart(other, one, column)


def same(one: str, other: str) -> bool:
    """Whether all figures are the same."""
    return ROWS[one] == ROWS[other]


def changes_of(name: str, base: str) -> set[str]:
    """The rules in which a variant differs from another."""
    return set(load_variant(name).rules.differences(load_variant(base).rules))


CUTTHROAT = "classic3_cutthroat"
CLASSIC = ("classic4", "boat", "viennese", "classic6_two", "classic6_three")
TWO = ("classic2", "house_balance", "house_seven_cards")
CLAIMS = {
    "seven to eight deals, nearly all of them ended by going out": all(
        6.5 <= of(name, DEALS) <= 8.5 and of(name, "out") > 98 for name in CLASSIC
    ),
    "take pairs half as long again": 1.35 < of("classic6_three", TURNS) / of("classic6_two", TURNS) < 1.65,
    "Here it takes seven: `safe` and `builder` lay one canasta and go out, in 26 turns, with some 670 points a side": (
        6.5 < of("classic4", DEALS) < 7.5
        and 25 <= of("classic4", TURNS) < 27
        and 640 < of("classic4", POINTS) < 700
        and ROWS["classic4"].canastas < 1.2
    ),
    "longer deals with more points, so four deals make a game": all(
        apart("classic4", name, TURNS) and apart("classic4", name, POINTS) and 3.5 < of(name, DEALS) < 4.6
        for name in TWO
    ),
    "have half the target, and half the deals": all(
        0.45 < of(name, DEALS) / of("classic2", DEALS) < 0.6 for name in ("gamecolony2", "gamecolony_202")
    ),
    "changes nothing that 400 games would show": alike("house_balance", "house_seven_cards", TURNS)
    and alike("classic2", "house_seven_cards", TURNS)
    and alike("classic2", "house_seven_cards", POINTS),
    "a deal takes twice the turns: the longest deals of all": (
        1.8 < of("gamecolony_102", TURNS) / of("gamecolony_202", TURNS) < 2.2
        and max(ROWS, key=lambda name: of(name, TURNS)) == "gamecolony_102"
    ),
    "have a pile that is always frozen: 100 %": all(of(name, FROZEN) == 100 for name in ALWAYS)
    and sum(of(name, FROZEN) == 100 for name in ROWS) == len(ALWAYS),
    "several times as many frozen turns": of("gamecolony2_red3freezes", FROZEN) > 3 * of("gamecolony2", FROZEN),
    "sambas are rare, one for more than ten sides in a deal": all(of(name, "sequence") < 0.1 for name in SAMBAS),
    "give twice the points of a classic deal": all(
        1.8 < of(name, POINTS) / of("classic4", POINTS) < 2.4 for name in SAMBAS
    ),
    "The other two add wild canastas, which are rarer still": all(
        0 < of(name, "wild") < of(name, "sequence") for name in SAMBAS[1:]
    ),
    "half the sides have one, and it takes the longest deals of the Samba family, twice those of `samba`": (
        0.4 < of("bolivia", "sequence") < 0.65
        and all(apart(name, "bolivia", TURNS) for name in (*SAMBAS, "brazilian"))
        and 1.8 < of("bolivia", TURNS) / of("samba", TURNS) < 2.4
    ),
    "A good part of them still ends with the stock": of("bolivia", "stock") > 10,
    "long deals, of 40 turns and more, six to nine canastas for each side, most of them ended by going out": all(
        of(name, TURNS) >= 40 and 5.5 < ROWS[name].canastas < 9.5 and of(name, "out") > 50 for name in FEET
    ),
    "takes two thirds of the turns": 0.58 < of("house_devon", TURNS) / of("hand_and_foot", TURNS) < 0.75,
    "more than eight canastas a side, and most deals end with the stock": all(
        ROWS[name].canastas > 8 and of(name, "stock") > 50 for name in ("railroad", "pennies_from_heaven")
    ),
    "about seven deals. A third end with the stock": all(
        6.2 < of(name, DEALS) < 7.8 and 28 < of(name, "stock") < 42 for name in AMERICAN
    ),
    "Special hands end one deal in eight of `modern_american`": 10 < of("modern_american", "special") < 15,
    "hardly a figure differs": all(
        alike("international", "modern_american_pagat", column) for column in (DEALS, TURNS, POINTS, "out", "stock")
    ),
    "rules of several kinds at once, and seven deals": 6.5 < of("brazilian", DEALS) < 7.5,
    "deals half as long again as in `classic4`": 1.35 < of("mexicana", TURNS) / of("classic4", TURNS) < 1.65,
    "`safe` loses here": ROWS["classic3"].best != "safe",
    "`classic5`, `taiwan` equal `classic4` to the last digit": all(
        same(name, "classic4") for name in ("classic5", "taiwan")
    ),
    "`house_one_freeze` equals it": same("house_one_freeze", "classic4"),
    "has two jokers more and shorter deals than `classic4`, with fewer natural canastas": (
        load_variant("house_six_jokers").rules.jokers == load_variant("classic4").rules.jokers + 2
        and apart("house_six_jokers", "classic4", TURNS)
        and apart("house_six_jokers", "classic4", "natural")
    ),
    "has the pack of `classic6_two`; what it adds is melds of wild cards, and its deals are shorter": (
        {"packs", "jokers"}.isdisjoint(changes_of("house_six_wild", "classic6_two"))
        and apart("house_six_wild", "classic6_two", TURNS)
        and of("house_six_wild", "wild") < 0.05
    ),
    "fewer turns are frozen; the length is the same": apart("albany", "classic4", FROZEN)
    and alike("albany", "classic4", TURNS)
    and alike("albany", "classic4", DEALS),
    "fewer than half of the deals end by going out": all(
        of(name, "out") < 50 for name in ("pennies_from_heaven", "railroad")
    ),
    "a deal or so less than `classic4`, each some turns longer": (
        0.5 < of("classic4", DEALS) - of("the_sevens", DEALS) < 1.7 and apart("classic4", "the_sevens", TURNS)
    ),
    "more turns than in `classic4`, fewer deals, and one in ten ends with the stock": (
        apart("classic4", CUTTHROAT, TURNS)
        and apart(CUTTHROAT, "classic4", DEALS)
        and 7 < of(CUTTHROAT, "stock") < 13
    ),
    "wins two games in five against `safe`": ROWS["classic4"].best == "safe" and 57 < of("classic4", "hoarder") < 66,
    "under `hoarder` one in seven, and it beats `builder`, in `italian` `safe` too": all(
        ROWS[name].best == "hoarder" for name in ("canastone", "italian")
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_sentence_of_the_page_stands_there_and_holds_in_its_tables(sentence: str) -> None:
    assert sentence in WORDS
    assert CLAIMS[sentence]


def test_every_variant_of_the_tables_is_spoken_of() -> None:
    assert len(ROWS) > 40
    assert [name for name in ROWS if f"`{name}`" not in WORDS] == []
