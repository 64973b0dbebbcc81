"""What stands out: the largest differences to the base, each said only as far as all line-ups agree.

From the rows of `Run.findings` (one a metric, variant and line-up): those of one metric and variant belong
together, one metric a family is kept, the largest first. Size is the difference in standard deviations between games of
the base, never its significance; Holm's correction over all rows decides what may be called more or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from dashboards import theme
from pipeline.metric import Metric, load_metric

MOST = 10
SAID = ("more", "less")


def standing_out(findings: pl.DataFrame, most: int = MOST) -> pl.DataFrame:
    """The findings worth a row, group by group, the largest group first.

    Adds `subject` (what differs from the base), `setting` (what it was held constant under), `row` (its label), the
    interval `effect_low effect_high`, `few`, and `said`, the sentence of its group.
    """
    across = pl.col("variant") != pl.col("base_variant")
    named = findings.with_columns(
        subject=pl.when(across).then(pl.col("variant")).otherwise(pl.col("lineup")),
        setting=pl.when(across).then(pl.col("lineup")).otherwise(pl.col("variant")),
        few=pl.col("form") == "few",
        **{f"effect_{end}": pl.col(end) * pl.col("effect") / pl.col("diff") for end in ("low", "high")},
    )
    group = ["metric", "subject"]
    sizes = (
        named.filter(pl.col("form").is_in(SAID))
        .group_by("family", *group)
        .agg(pl.col("effect").abs().median().alias("size"))
        .sort("size", *group, descending=[True, False, False])
        .unique(["family", "subject"], keep="first", maintain_order=True)
        .head(most)
        .with_row_index("rank")
    )
    rows = named.join(sizes.select("rank", "size", *group), on=group).sort("rank", maintain_order=True)
    said = [_say(part.to_dicts()) for part in rows.partition_by("rank", maintain_order=True)]
    words = pl.DataFrame(
        [(rank, label, text) for rank, (label, text) in enumerate(said)],
        schema={"rank": pl.UInt32, "row": pl.String, "said": pl.String}, orient="row",
    )  # fmt: skip
    return rows.join(words, on="rank", maintain_order="left")


def _say(rows: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """Label and sentence of one metric of one subject, over its settings."""
    metric, subject = load_metric(rows[0]["metric"]), theme.label(rows[0]["subject"])
    known = [row for row in rows if row["form"] != "few"]
    forms = {row["form"] for row in known}
    if len(forms) > 1:
        ends = sorted(known, key=lambda row: float(row["diff"]))
        least, most = (theme.label(row["setting"]) for row in (ends[0], ends[-1]))
        amounts = _amounts(known, metric)
        text = f"{least} {amounts[0]}, {most} {amounts[-1]} {_unit(metric)}"
        return f"{subject}\n{metric.title}", f"**{subject}**: {metric.title.lower()} depends on play ({text})"
    finding = getattr(metric, forms.pop())
    return f"{subject}\n{finding}", f"**{subject}**: {finding}{_under(rows, known)} ({_spans(known, metric)})"


def _under(rows: Sequence[dict[str, Any]], known: Sequence[dict[str, Any]]) -> str:
    if len(rows) == 1:
        return ""
    what = "line-up" if rows[0]["variant"] != rows[0]["base_variant"] else "variant"
    if len(known) == len(rows):
        return f" under every {what}"
    return f" under {len(known)} of {len(rows)} {what}s, not sure yet in the others"


def _spans(known: Sequence[dict[str, Any]], metric: Metric) -> str:
    """The differences of all settings: `−73 to −66 turns, −40 to −36 %`."""
    spans = [f"{_joined(_amounts(known, metric))} {_unit(metric)}"]
    if metric.unit != "%" and all(row["base_value"] for row in known):
        parts = sorted(100 * row["diff"] / row["base_value"] for row in known)
        spans.append(f"{_joined([theme.number(part, signed=True) for part in parts])} %")
    return ", ".join(spans)


def _joined(texts: Sequence[str]) -> str:
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


def _amounts(rows: Sequence[dict[str, Any]], metric: Metric) -> list[str]:
    """The differences in order, all to the digits that the least certain of them deserves."""
    size = 100 if metric.unit == "%" else 1
    decimals = min(metric.digits, *(theme.digits(row["low"] * size, row["high"] * size) for row in rows))
    return [theme.number(size * diff, decimals, signed=True) for diff in sorted(row["diff"] for row in rows)]


def _unit(metric: Metric) -> str:
    return "percentage points" if metric.unit == "%" else metric.unit
