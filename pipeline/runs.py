"""Several runs at once: frames and answers of all of them one below the other, with a column `run` in front."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from engine.errors import BadInput
from pipeline.run import Run, open_run
from pipeline.table_frames import Choice, Games, TableFrames

if TYPE_CHECKING:
    from pipeline.ask import Answer


def open_runs(places: str | Path | Sequence[str | Path]) -> Runs:
    """The runs in these folders, or of a pattern such as `data/runs/*`; BadInput when one is none, or none is there.

    A pattern passes over folders that are no runs.
    """
    if isinstance(places, (str, Path)):
        there = map(Path, glob(str(places)))  # noqa: PTH207 - a pattern may begin anywhere, at the root too
        found = sorted(path for path in there if (path / "manifest.json").is_file())
        if not found:
            raise BadInput(f"{places}: no run is there; `canasta simulate` makes one")
        return Runs([open_run(path) for path in found])
    return Runs([open_run(path) for path in places])


class Runs(TableFrames):
    """Runs side by side, told apart by the name of their folder (by its whole path where two have the same).

    In frames a variant or line-up that a run lacks is passed over there.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        if not runs:
            raise BadInput("no run given; give at least one folder")
        names = [run.name for run in runs]
        if len(set(names)) < len(names):
            names = [str(run.path) for run in runs]
        if len(set(names)) < len(names):
            raise BadInput(f"{', '.join(names)}: one run is given twice")
        self._runs = dict(zip(names, runs, strict=True))

    def __repr__(self) -> str:
        return "Runs:\n" + "\n".join(f"  {name}: {run!r}" for name, run in self._runs.items())

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs.values())

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, name: str) -> Run:
        if name not in self._runs:
            raise BadInput(f"no run '{name}'; there are {', '.join(self._runs)}")
        return self._runs[name]

    @property
    def names(self) -> tuple[str, ...]:
        """What the column `run` calls them."""
        return tuple(self._runs)

    @property
    def cells(self) -> pl.DataFrame:
        """`Run.cells` of all runs."""
        return self.stack(lambda run: run.cells)

    def frame(
        self, table: str, variant: Choice = None, lineup: Choice = None, games: Games | None = None
    ) -> pl.LazyFrame:
        """A table by its name; arguments as in `moves`."""
        frames = {
            name: run.frame(table, variant, lineup, games)
            for name, run in self._runs.items()
            if has_cells(run, variant, lineup)
        }
        if not frames:
            raise BadInput(f"variant {variant} with line-up {lineup}: none of {', '.join(self.names)} has them")
        return pl.concat(frame.select(pl.lit(name).alias("run"), pl.all()) for name, frame in frames.items())

    def sql(self, text: str, **parameters: Any) -> pl.DataFrame:
        """The answer of each run to one SQL statement, as in `Run.sql`."""
        return self.stack(lambda run: run.sql(text, **parameters))

    def query(self, name: str, **arguments: Any) -> pl.DataFrame:
        """The answer of each run to a named query, as in `Run.query`."""
        return self.stack(lambda run: run.query(name, **arguments))

    def metric(
        self, name: str | Sequence[str], by: Sequence[str] | str | None = None, **arguments: Any
    ) -> pl.DataFrame:
        """A metric of each run, as in `Run.metric`; a `base` is one that every run has."""
        return self.stack(lambda run: run.metric(name, by, **arguments))

    def ask(self, name: str, by: Sequence[str] | str | None = None, **arguments: Any) -> Answer:
        """A metric's answer of all runs, as in `Run.ask`; neither SQL nor address, for no single one gives it."""
        from pipeline.ask import join_answers

        answers = {label: run.ask(name, by, **arguments) for label, run in self._runs.items()}
        return join_answers(answers, self.folders)

    @property
    def folders(self) -> tuple[str, ...]:
        """Their folders as they would be typed; none where any is played in memory."""
        folders = [run.folders for run in self]
        return tuple(one for some in folders for one in some) if all(folders) else ()

    def distribution(self, name: str, by: Sequence[str] | str | None = None, **arguments: Any) -> pl.DataFrame:
        """How often a metric's own number takes each value, in each run, as in `Run.distribution`."""
        return self.stack(lambda run: run.distribution(name, by, **arguments))

    def quantiles(
        self, name: str, ps: Sequence[float], by: Sequence[str] | str | None = None, **arguments: Any
    ) -> pl.DataFrame:
        """Quantiles of a metric's own number, in each run, as in `Run.quantiles`."""
        return self.stack(lambda run: run.quantiles(name, ps, by, **arguments))

    def stack(self, ask: Callable[[Run], pl.DataFrame]) -> pl.DataFrame:
        """What `ask` gives for each run, one below the other, with the name of the run in front."""
        answers = [ask(run).select(pl.lit(name).alias("run"), pl.all()) for name, run in self._runs.items()]
        return pl.concat(answers, how="vertical_relaxed")


def has_cells(run: Run, variant: Choice, lineup: Choice) -> bool:
    """Whether a run has any cell of these variants and line-ups."""
    try:
        return bool(run.choose(variant, lineup))
    except BadInput:
        return False
