"""Metrics that are no ratio of sums over games: quantiles (Q), spreads (S), means over mirror blocks (P).

`measure_kind` answers them in the columns of `pipeline.measure.measure`; `distribution` and `quantiles` answer for
any metric with a distribution of whole numbers.
"""

from pipeline.kinds.distribution import distribution, quantiles
from pipeline.kinds.kind import measure_kind
from pipeline.kinds.rows import check_seatings

__all__ = ["check_seatings", "distribution", "measure_kind", "quantiles"]
