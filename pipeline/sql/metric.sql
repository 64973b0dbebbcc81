/*
Sums over games of one metric, filled in by pipeline/metric.py: `units` has one row a game with the numerators k0, k1 …
and the denominator n; what comes out is per group, for each numerator, what a ratio of sums and its interval need.
*/
with counted as (
    select {keys}, {numerators}
    from {table} where {where} {group}
),
based as (
    select {keys}, {denominator} as n
    from {base_table} where {base_where} {base_group}
),
units as ({units})
select {by}count(*) filter (n > 0) as games, sum(n)::double as n, sum(n::double * n) as nn, {sums}
from units {by_group}
