"""How everything looks: colours that belong to a variant or a line-up, number formats, the Altair theme.

The two palettes keep at least 0.09 of Oklab distance between any two colours, also as seen with
protanopia, deuteranopia and tritanopia (tested); the same place is the same hue on light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from zlib import crc32

import altair as alt

Mode = Literal["light", "dark"]
MODES: tuple[Mode, ...] = ("light", "dark")

PALETTES: dict[Mode, tuple[str, ...]] = {
    "light": ("#2b5987", "#c85400", "#0b8c6e", "#f570be", "#221182", "#bba948", "#22b3ff", "#740b3b"),
    "dark": ("#58b2ff", "#dc7737", "#61a482", "#e2b3c5", "#6d71b7", "#fce754", "#c8ecf6", "#aa5666"),
}
Figure = alt.Chart | alt.LayerChart | alt.VConcatChart
OTHERS = "#8a8a8a"  # beyond eight names, values with too few games, rules and base lines
INK: dict[Mode, str] = {"light": "#31302e", "dark": "#e6e3df"}
PAPER: dict[Mode, str] = {"light": "#ffffff", "dark": "#171614"}
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Palette:
    """Colour of every variant and line-up of a run, on a light or a dark page."""

    mode: Mode = "light"
    places: Mapping[str, int] = field(default_factory=dict)

    def colour(self, name: str) -> str:
        """The colour of a name; grey beyond the eighth of its kind."""
        place = self.places.get(name)
        return OTHERS if place is None else PALETTES[self.mode][place]

    def ordered(self, names: Iterable[str]) -> list[str]:
        """The names once each, in the order of the run; unknown ones last, as they come."""
        order = list(self.places)
        return sorted(dict.fromkeys(names), key=lambda name: order.index(name) if name in order else len(order))

    def scale(self, names: Iterable[str]) -> alt.Scale:
        """A colour scale over the names, in their order."""
        domain = list(names)
        return alt.Scale(domain=domain, range=[self.colour(name) for name in domain])

    def on(self, mode: Mode) -> Palette:
        """The same names' colours on the other page."""
        return replace(self, mode=mode)

    @property
    def accent(self) -> str:
        """The lab's own colour, for what belongs to no name."""
        return PALETTES[self.mode][0]

    @property
    def ink(self) -> str:
        """Colour of text that a chart writes itself."""
        return INK[self.mode]


def palette(*kinds: Iterable[str], mode: Mode = "light") -> Palette:
    """Give each name of each kind its colour: the one its spelling asks for, or the next that is free.

    A kind is all variants, or all line-ups, in the order of the run, so that a filter never changes a colour and
    a name keeps it from run to run unless another took it first.
    """
    places: dict[str, int] = {}
    slots = len(PALETTES[mode])
    for names in kinds:
        free = set(range(slots))
        for name in dict.fromkeys(names):
            wished = crc32(name.encode()) % slots
            place = next((place for place in sorted(free, key=lambda place: (place - wished) % slots)), None)
            if place is not None:
                free.remove(place)
                places[name] = place
    return Palette(mode, places)


def digits(low: float | None, high: float | None, most: int = 4) -> int:
    """Decimals that show two significant figures of an interval's half-width."""
    if low is None or high is None or not high > low:
        return min(2, most)
    return max(0, min(most, 1 - math.floor(math.log10((high - low) / 2))))


def number(value: float | None, decimals: int = 0, *, signed: bool = False) -> str:
    """A number with thousands separated by commas and a true minus; an en dash for none."""
    if value is None or math.isnan(value):
        return "–"
    text = f"{value:{'+' if signed else ''},.{decimals}f}"
    return text.replace("-", "−")


def with_interval(value: float | None, low: float | None, high: float | None, *, signed: bool = False) -> str:
    """`207.4 (206.9–207.9)`, to the digits its interval deserves."""
    decimals = digits(low, high)
    shown = number(value, decimals, signed=signed)
    if low is None or high is None:
        return shown
    link = " to " if signed or low < 0 else "–"
    return f"{shown} ({number(low, decimals, signed=signed)}{link}{number(high, decimals, signed=signed)})"


def large(count: float) -> str:
    """A count as a person says it: `950`, `50,000`, `1.2 million`."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if count >= size:
            return f"{count / size:.3g} {word}"
    return number(count)


def label(slug: str) -> str:
    """A variant's slug as shown on an axis: `classic4 · canastas_out 2`; other text stays as it is."""
    if " " in slug:
        return slug
    base, *changes = slug.split(".")
    return " · ".join([base, *(change.replace("-", " ", 1) for change in changes)])


def dressed(chart: Figure, mode: Mode = "light") -> Figure:
    """The chart with the lab's own look, for files and notebooks; on a page Streamlit's theme dresses it."""
    ink = INK[mode]
    finished: Figure = (
        chart.configure(font=FONT, background=PAPER[mode], padding=16)
        .configure_view(stroke=None)
        .configure_title(
            anchor="start",
            fontSize=16,
            subtitleFontSize=12,
            color=ink,
            subtitleColor=ink,
            offset=14,
            subtitlePadding=5,
        )
        .configure_axis(
            labelColor=ink,
            titleColor=ink,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            gridColor=OTHERS,
            gridOpacity=0.25,
            domain=False,
            ticks=False,
            labelPadding=6,
            labelLimit=260,
        )
        .configure_legend(orient="top", columns=5, labelColor=ink, labelFontSize=12, labelLimit=190, symbolOpacity=1)
    )
    return finished
