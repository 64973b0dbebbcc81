-- Deals with what became of the side whose seat acts first: its result, 1 or its part of a tie, and its margin.
-- Scores of up to six sides stand side by side, which costs a tenth of lists of them.
select variant, lineup, game, deal, sides, (own = best)::integer / winners as won, own - (total - own) / (sides - 1) as margin
from (
    select *, case lead when 1 then s1 when 2 then s2 when 3 then s3 when 4 then s4 when 5 then s5 else s6 end as own,
        (s1 = best)::integer + (s2 = best)::integer + coalesce((s3 = best)::integer, 0) + coalesce((s4 = best)::integer, 0)
        + coalesce((s5 = best)::integer, 0) + coalesce((s6 = best)::integer, 0) as winners
    from (
        select variant, lineup, game, deal,
            side_of(if(first_seat is not distinct from sits_out, first_seat % seat_count + 1, first_seat), variant) as lead
        from (select variant, lineup, game, deal, sits_out, seat_count, dealer % seat_count + 1 as first_seat
            from deals join (select variant, lineup, len(seat_strategies) as seat_count from cells) using (variant, lineup))
    )
    join (
        select variant, lineup, game, deal, count(*) as sides, sum(score) as total, max(score) as best,
            max(score) filter (side = 1) as s1, max(score) filter (side = 2) as s2, max(score) filter (side = 3) as s3,
            max(score) filter (side = 4) as s4, max(score) filter (side = 5) as s5, max(score) filter (side = 6) as s6
        from sides group by all
    ) using (variant, lineup, game, deal)
)
