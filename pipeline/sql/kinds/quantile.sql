{cumulated}, lists as (
    select {keys}place, word, cell, total, games, list("at" order by "at" nulls last) as numbers,
        list(up_to order by "at" nulls last) as up_to, list({cums} order by "at" nulls last) as cums
    from ratios group by all
), found as (
    select *, least(len(numbers), 1 + len(list_filter(up_to, lambda one: one < {p} * total * (1 - 1e-12)))) as here
    from lists
), shares as (
    select *, cums[here].value as share, cums[here].se as se, case when share > 0 and share < 1 and se > 0
            then least(share * (1 - share) / se ** 2, total) else least(games, total) end as rows,
        wilson_within({p} * rows, rows, {z}) as ci
    from found
), ends as (
    select *, least(len(numbers), 1 + len(list_filter(up_to, lambda one: one < ci.low * total * (1 - 1e-12)))) as low,
        least(len(numbers), 1 + len(list_filter(up_to, lambda one: one < ci.high * total * (1 - 1e-12)))) as high
    from shares
)
select {keys}{split}numbers[here]::double as value, case when games >= {least} then numbers[low]::double end as low,
    case when games >= {least} then numbers[high]::double end as high,
    up_to[here]::bigint as numerator, total::bigint as denominator
from ends
order by {order}
