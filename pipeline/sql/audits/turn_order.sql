/*
title = "Turns in order"
rule = "Turns count 1, 2, 3 … within a deal, as many as the deal says, and the active seats take them in rotation from the dealer's left; of five, the fifth has the place of the partner who sits out"
*/
with around as (
    select game, deal, turns, list_transform(list_transform(range(places), lambda step: (if(dealer > places, sits_out, dealer) + step) % places + 1),
        lambda place: coalesce(if(place = sits_out, players, place), place)) as seats
    from deals, (select players, players - (sides = 'two_v_three')::integer as places from cells)
)
select 'order' as what, game, deal, turn, null as seat
from (select game, deal, turn, lag(game) over () as last_game, lag(deal) over () as last_deal, lag(turn) over () as last_turn
    from turns)
where not coalesce((game = last_game and deal = last_deal and turn = last_turn + 1)
    or (turn = 1 and (last_game is null or (game, deal) > (last_game, last_deal))), false)
union all
select 'seat', game, deal, turn, seat
from turns left join around using (game, deal)
where seat is distinct from seats[(turn - 1) % len(seats) + 1]
union all
select 'turns', game, deal, turns, null
from around left join (select game, deal, max(turn) as last_turn from turns group by all) using (game, deal)
where turns is distinct from last_turn
