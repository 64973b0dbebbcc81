"""Reading a chart's Vega-Lite: its layers at whatever depth, and the rows that each draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

Spec = dict[str, Any]


def layers_of(chart: alt.LayerChart) -> list[Spec]:
    """All layers that draw, each with its `rows`."""
    spec = chart.to_dict()
    return list(_layers(spec, spec.get("datasets", {}), spec.get("data", {})))


def _layers(spec: Spec, datasets: Spec, data: Spec) -> Iterator[Spec]:
    own = spec.get("data", data)
    if "layer" in spec:
        for layer in spec["layer"]:
            yield from _layers(layer, datasets, own)
    else:
        yield spec | {"rows": datasets.get(own.get("name"), [])}


def marked(layers: list[Spec], mark: str) -> list[Spec]:
    """The layers with this mark."""
    return [layer for layer in layers if layer["mark"]["type"] == mark]


def fields(layer: Spec) -> dict[str, str]:
    """Which column each channel shows."""
    channels = layer["encoding"].items()
    return {name: channel["field"] for name, channel in channels if isinstance(channel, dict) and "field" in channel}


def nodes(spec: Any) -> Iterator[tuple[str, Any]]:
    """Every key and value of a spec but the data."""
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key != "datasets":
                yield key, value
                yield from nodes(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from nodes(value)
