-- Games with what became of the side whose seat acts first in deal 1: its result, 1 or its part of a tie.
select variant, lineup, game, len(scores) as sides,
    case when winner is not null then (winner = lead)::integer
        when scores[lead] = list_max(scores) then 1 / len(list_filter(scores, lambda s: s = list_max(scores)))
        else 0 end as won
from (from games where ending <> 'cap') join (
    select variant, lineup, game,
        side_of(if(first_seat is not distinct from sits_out, first_seat % seat_count + 1, first_seat), variant) as lead
    from (select variant, lineup, game, sits_out, seat_count, dealer % seat_count + 1 as first_seat
        from (from deals where deal = 1)
        join (select variant, lineup, len(seat_strategies) as seat_count from cells) using (variant, lineup))
) using (variant, lineup, game)
