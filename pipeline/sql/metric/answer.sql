with {counted}, plan as (
{plan}), answer as (
    select *, {within}(ratio, errors, enough) as ci from counted {join} where {present}
)
select {keys}ci.value as value, ci.low as low, ci.high as high,
    coalesce(k, 0)::{numerator} as numerator, coalesce(n, 0)::bigint as denominator
from answer
order by {order}
