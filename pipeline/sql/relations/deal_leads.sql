-- Deals with what became of the side whose seat acts first: its result, 1 or its part of a tie, and its margin.
select variant, lineup, game, deal, sides, (scores[lead] = best)::integer / winners as won,
    scores[lead] - (list_sum(scores) - scores[lead]) / (sides - 1) as margin
from (
    select *, len(scores) as sides, list_max(scores) as best,
        len(list_filter(scores, lambda score: score = list_max(scores))) as winners,
        side_of(if(first_seat is not distinct from sits_out, first_seat % seat_count + 1, first_seat), variant) as lead
    from (select variant, lineup, game, deal, sits_out, seat_count, dealer % seat_count + 1 as first_seat
        from deals join (select variant, lineup, len(seat_strategies) as seat_count from cells) using (variant, lineup))
    join (select variant, lineup, game, deal, list(score order by side) as scores from sides group by all)
        using (variant, lineup, game, deal)
)
