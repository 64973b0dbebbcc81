"""`Run.ask`: a metric's answer with all one needs to pass it on: sentence, table, SQL, Python, command, address.

The texts give the same table again (tested: run them, compare). A chart of it is `dashboards.charts.of(answer)`.
"""

from __future__ import annotations

import html
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import polars as pl

from pipeline.answer_sentences import say_answer
from pipeline.answers import show_answer
from pipeline.metric import Metric, describe_columns

if TYPE_CHECKING:
    from pipeline.run import Run

LEVEL = 0.95
HIDDEN = ("numerator", "denominator", "method", "p", "form", "sentence", "source")
"""Columns that people are not shown unless they ask for the table."""


@dataclass(frozen=True)
class Asked:
    """What was asked of a run: the arguments of `Run.ask`, None where not given."""

    name: str
    by: tuple[str, ...] | None = None
    variant: tuple[str, ...] | None = None
    lineup: tuple[str, ...] | None = None
    where: str | None = None
    base: str | None = None
    level: float = LEVEL
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """Arguments that were given, as `Run.metric` takes them beside the name."""
        listed = {
            name: chosen and list(chosen) for name, chosen in (("variant", self.variant), ("lineup", self.lineup))
        }
        given = {"by": None if self.by is None else list(self.by), **listed, "where": self.where, "base": self.base}
        level = {} if self.level == LEVEL else {"level": self.level}
        return {name: value for name, value in given.items() if value is not None} | level | dict(self.parameters)


@dataclass(frozen=True)
class Answer:
    """A metric's answer.

    `table` is that of `Run.metric`, `metric` the definition. `sentence` says the finding; `sql` is the text that
    answered, for the run's own `sql()` or the DuckDB shell (empty where no single text does); `python` and `command`
    are texts that give the table again; `address` is where the dashboard shows it, after the host. For games played in
    memory there is neither command nor address. It has no `chart()`, as this package draws nothing:
    `dashboards.charts.of(answer)` gives the Altair chart, of `table` alone too.
    """

    table: pl.DataFrame
    metric: Metric
    asked: Asked
    sentence: str
    sql: str
    python: str
    command: str
    address: str

    def __repr__(self) -> str:
        return f"Answer: {self.sentence}\n{self.table}"

    def _repr_html_(self) -> str:
        head, rows, notes = show_answer(self.table.drop(HIDDEN, strict=False), describe_columns(self.metric))
        lines = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
        told = "".join(f"<div><small>{html.escape(note)}</small></div>" for note in notes)
        level = f"In brackets: {self.asked.level * 100:g} % intervals, each on its own, clustered by game."
        return (
            f"<p><b>{html.escape(self.sentence)}</b></p><table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody>"
            f"</table><div><small>{html.escape(self.metric.sentence)}. {level}</small></div>{told}"
        )


def answer(run: Run, metric: Metric, asked: Asked, table: pl.DataFrame, sql: str) -> Answer:
    """The answer of a run with its texts; `table` is what `Run.metric` gave, `sql` the text that made it."""
    return Answer(
        table,
        metric,
        asked,
        say_answer(table, metric, asked.base),
        sql,
        write_python(run.opening, asked),
        write_command(run.folders, asked),
        write_address(run, metric, asked) if run.folders else "",
    )


def join_answers(answers: Mapping[str, Answer], folders: Sequence[str]) -> Answer:
    """The answers of several runs to one question as one, with a column `run` in front; no SQL, no address.

    Neither Python nor command where a run has no folder.
    """
    first = next(iter(answers.values()))
    metric, asked = first.metric, first.asked
    named = [one.table.select(pl.lit(name).alias("run"), pl.all()) for name, one in answers.items()]
    table = pl.concat(named, how="vertical_relaxed")
    said = [f"{name}: {one.sentence}" for name, one in answers.items()]
    sentence = "; ".join(said) if asked.base is not None else say_answer(table, metric, None)
    python = write_python(f"cl.open_runs({list(folders)!r})", asked) if folders else ""
    return Answer(table, metric, asked, sentence, "", python, write_command(folders, asked), "")


def write_python(opening: str, asked: Asked) -> str:
    """Python that gives the table; `opening` is the expression that opens the run."""
    arguments = ", ".join([repr(asked.name), *(f"{name}={value!r}" for name, value in asked.options.items())])
    return f"import pipeline as cl\n\nrun = {opening}\nrun.metric({arguments})"


def write_command(folders: Sequence[str], asked: Asked) -> str:
    """The `canasta` command that prints the table; empty without a folder."""
    if not folders:
        return ""
    words = ["canasta", "metric", asked.name, *folders]
    for name, value in asked.options.items():
        if name == "by":
            words.append(f"--by={','.join(value) or 'none'}")
        elif name in ("variant", "lineup"):
            words += [f"--{name}={one}" for one in value]
        elif name in ("where", "base", "level"):
            words.append(f"--{name}={value}")
        else:
            words.append(f"--set={name}={value}")
    return shlex.join(words)


PAGES = {
    "length": "game_length",
    "endings": "game_length",
    "discards": "strategies",
    "skill": "strategies",
    "points": "strategies",
    "freezing": "pile",
    "states": "pile",
    "taking": "pile",
    "canastas": "canastas",
    "opening": "canastas",
}
"""The page of the dashboard that shows a family of metrics; other families have the overview."""


def write_address(run: Run, metric: Metric, asked: Asked) -> str:
    """Where the dashboard shows the metric's family, after its host: page, run, and the filters that every page has.

    Line-ups are named as given in the plan, as the filters name them. A page that shows any metric is not there yet.
    """
    lineups = asked.lineup and dict.fromkeys(cell.given for cell in run.choose(None, asked.lineup))
    chosen = {"run": run.name, "variant": asked.variant, "lineup": lineups and [*lineups], "base": asked.base}
    query = urlencode({name: value for name, value in chosen.items() if value}, doseq=True)
    return f"/{PAGES.get(metric.family, '')}?{query}"
