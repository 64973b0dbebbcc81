{cumulated}, answer as (
    select *, share_within({shares}, {z}, games >= {least}) as share, share_within({cums}, {z}, games >= {least}) as cum
    from ratios
)
select {keys}{split}"at", n::bigint as n, share.value as share, share.low as share_low, share.high as share_high,
    cum.value as cum, cum.low as cum_low, cum.high as cum_high, games::bigint as games
from answer
order by {order}
