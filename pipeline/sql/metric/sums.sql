-- Sums over games, filled in from a metric's definition: `units` has one row a game with numerators k0, k1 … and denominator n.
with units as (
{units}
)
select {by}, count(*) filter (n > 0) as games, avg(capped) as capped,
    sum(n)::double as n, sum(n::double * n) as nn,
    {sums}
from units
group by {by}
