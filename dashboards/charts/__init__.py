"""Charts as functions: a table in, an Altair chart out; no Streamlit, no file, no query.

One function a shape, one module each kind, for any table of `Run.metric` or of a named query with the columns
`value low high n games few` (or `diff diff_low diff_high`). Intervals are drawn from their columns, never recomputed
from rows; rows with too few games are pale and hollow. A share (0 to 1) is shown in percent.
"""

from dashboards.charts.area import area
from dashboards.charts.bars import bars, stack
from dashboards.charts.counts import counts
from dashboards.charts.curve import curve
from dashboards.charts.dots import dots
from dashboards.charts.dumbbell import dumbbell
from dashboards.charts.ecdf import ecdf
from dashboards.charts.forest import difference, estimate
from dashboards.charts.heat import heat
from dashboards.charts.histogram import histogram
from dashboards.charts.interaction import interaction
from dashboards.charts.of import of, palette_of
from dashboards.charts.shares import shares
from dashboards.charts.slope import slope
from dashboards.charts.words import Measure, Words

__all__ = [
    "Measure", "Words", "area", "bars", "counts", "curve", "difference", "dots", "dumbbell", "ecdf", "estimate",
    "heat", "histogram", "interaction", "of", "palette_of", "shares", "slope", "stack",
]  # fmt: skip
