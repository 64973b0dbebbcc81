"""Answers of any kind as one table of several parts, copied as one: a distribution beside the metric that ends it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards.copying import join_python
from dashboards.data import Answer
from dashboards.figure import Source


def join(parts: Sequence[tuple[str, Answer]]) -> Answer:
    """The answers one below the other: `part`, the label given with each, then the columns of all of them.

    Command and SQL only where every part has them, for what is copied gives the whole table.
    """
    tables = [answer.table.select(pl.lit(label).alias("part"), pl.all()) for label, answer in parts]
    sources = [answer.source for _, answer in parts]
    whole = all(source.command for source in sources), all(source.sql for source in sources)
    return Answer(
        pl.concat(tables, how="diagonal"),
        Source(
            "\n\n".join(dict.fromkeys(source.definition for source in sources)),
            "\n".join(source.command for source in sources) if whole[0] else "",
            join_python([(label, answer.source.python) for label, answer in parts]),
            tuple(text for source in sources for text in source.sql) if whole[1] else (),
        ),
    )
