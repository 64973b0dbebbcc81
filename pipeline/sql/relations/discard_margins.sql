-- Discards after which the next seat had a turn, with the margin of the thrower's side in the deal.
select turns.*, margin
from (from turns where next_took is not null) as turns
join (
    select variant, lineup, game, deal, sides.side, sides.score - (total - sides.score) / (side_count - 1) as margin
    from sides
    join (select variant, lineup, game, deal, sum(score) as total, count(*) as side_count from sides group by all)
        using (variant, lineup, game, deal)
) using (variant, lineup, game, deal, side)
