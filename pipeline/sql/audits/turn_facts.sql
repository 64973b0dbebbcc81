/*
title = "A turn follows from the one before"
rule = "The upcard and pile that a seat meets, and what the thrower's row says the next seat could take and took, are what the turn before left and the turn after did; only a legal take is taken"
*/
with pairs as (
    select game, deal, turn, discard, took, pile, next_took, next_could_take,
        case when game = lead(game) over () and deal = lead(deal) over () then lead(turn) over () end as turn_after,
        lead(upcard) over () as upcard_after, lead(pile) over () as pile_after, lead(took) over () as took_after,
        lead(could_take) over () as could_take_after, could_take, frozen_by, state
    from turns
)
select 'take was not legal' as what, game, deal, turn from pairs where took is not null and not could_take
union all
select 'upcard', game, deal, turn from pairs
where turn_after is not null and discard is not null and upcard_after is distinct from discard
union all
select 'pile', game, deal, turn from pairs, cells
where turn_after is not null
    and pile_after <> case when took is null then pile when pile_rest = 'stays' then pile - took else 0 end + (discard is not null)::integer
union all
select 'next seat', game, deal, turn from pairs
where discard is not null and (next_took is distinct from (case when turn_after is not null then coalesce(took_after, 0) end)
    or next_could_take is distinct from (case when turn_after is not null then could_take_after end))
union all
select 'state', game, deal, turn from pairs where state = 'frozen' and frozen_by is null or state in ('open', 'unopened') and frozen_by is not null
