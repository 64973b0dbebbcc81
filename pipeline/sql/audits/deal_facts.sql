/*
title = "Deals as they say"
rule = "The deal passes to the left (of five, the fifth has the place of the partner who sits out); hands have their size; the seat of the last turn went out just when the ending says so; the stock is empty when the ending says so; the largest take is the largest"
*/
with last_turns as (
    select game, deal, max(took) as biggest, arg_max(seat, turn) as last_seat, arg_min(seat, turn) filter (took = biggest_take) as taker
    from turns join (select game, deal, biggest_take from deals) using (game, deal) group by all
)
select 'dealer' as what, game, deal, place as found, before % places + 1 as expected
from (select *, if(dealer > places, sits_out, dealer) as place, lag(if(dealer > places, sits_out, dealer)) over () as before
    from deals, (select players - (sides = 'two_v_three')::integer as places from cells))
where deal > 1 and place <> before % places + 1
union all
select 'hands', game, deal, len(hands), players
from deals, cells
where len(list_filter(hands, lambda hand: len(hand) = hand_size)) <> seats or seats <> players - (sits_out is not null)::integer
union all
select 'out', game, deal, out_seat, last_seat
from deals left join last_turns using (game, deal)
where (ending in ('out', 'concealed', 'special')) <> (out_seat is not null) or out_seat <> last_seat
union all
select 'stock', game, deal, stock, 0 from deals where ending in ('stock', 'red_three') and stock <> 0
union all
select 'biggest take', game, deal, biggest_take, biggest
from deals left join last_turns using (game, deal)
where biggest_take is distinct from biggest or biggest_take_seat is distinct from taker
