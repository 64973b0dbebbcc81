with {counted}, plan as (
{plan}), answer as (
    select *, {within}(ratio, errors, enough) as ci from counted {join} where {present}
), shared as (
{shared}
), differences as (
    select one.*, two.ratio is not null as held, one.ratio.value - two.ratio.value as diff,
        one.ratio.se ** 2 + two.ratio.se ** 2 as apart,
        settled(case when one.cards = base_plan.cards then {together} else apart end, apart) as variance,
        case when {unless_certain} or least(one.units, two.units) < {least} then null
            else {errors} * sqrt(variance) end as half
    from answer as one
    left join answer as two on {matched} and two.place = one.place
    left join shared on {mine}
    left join plan as base_plan on {base_plan}
)
select {keys}ci.value as value, ci.low as low, ci.high as high,
    coalesce(k, 0)::{numerator} as numerator, coalesce(n, 0)::bigint as denominator,
    diff, diff - half as diff_low, diff + half as diff_high,
    case when held and diff is not null then case when variance > 0 then apart / variance when apart > 0 then 'inf'::double else 1 end end as gain
from differences
order by {order}
