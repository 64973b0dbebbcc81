/*
title = "Cards of the pack"
rule = "No card comes into play more often than the pack holds it, and the cards dealt (reserves too), turned up and drawn are with the stock left the whole pack"
*/
-- Counts of thirteen cards are added up in one number (`packed_weight`): no group for each card of each deal.
with weights as (select card, place, (place - 1) // 13 as quarter, packed_weight(place) as weight from cards),
seen as (
    select game, deal, unnest(flatten(hands)) as card from deals
    union all select game, deal, unnest(flatten(reserves)) from deals
    union all select game, deal, unnest(upcards) from deals
    union all select game, deal, card from moves where action in ('draw', 'bonus')
),
packed as (
    select game, deal, count(*) as copies, coalesce(sum(weight) filter (quarter = 0), 0)::bigint as q0,
        coalesce(sum(weight) filter (quarter = 1), 0)::bigint as q1, coalesce(sum(weight) filter (quarter = 2), 0)::bigint as q2,
        coalesce(sum(weight) filter (quarter = 3), 0)::bigint as q3, count(*) filter (quarter = 4) as q4
    from seen join weights using (card) group by all
)
select game, deal, card, packed_count([q0, q1, q2, q3][quarter + 1], place) as found, packs as allowed
from packed, cells, weights
where (packed_above(q0, packs) or packed_above(q1, packs) or packed_above(q2, packs) or packed_above(q3, packs))
    and quarter < 4 and packed_count([q0, q1, q2, q3][quarter + 1], place) > packs
union all
select game, deal, 'JK', q4, jokers from packed, cells where q4 > jokers
union all
select game, deal, null, coalesce(copies, 0) + stock, 52 * packs + jokers
from deals left join packed using (game, deal), cells where coalesce(copies, 0) + stock <> 52 * packs + jokers
