-- Deal 1 of mirror blocks of two unlike sides: the margin of the strategy named first, sitting on side 1 and on side 2.
select variant, given_lineup as lineup, given_lineup, game,
    max(margin) filter (side = 1) as first_margin, max(margin) filter (side = 2) as second_margin
from (
    select variant, lineup, game, side, strategy, 2 * score - sum(score) over (partition by variant, lineup, game) as margin
    from sides where deal = 1
) join (
    select variant, lineup, given_lineup, min_by(side_strategies[1], cell) over (partition by variant, given_lineup) as own
    from cells where len(side_strategies) = 2 and len(list_distinct(side_strategies)) = 2
) using (variant, lineup)
where strategy = own
group by variant, given_lineup, game
having count(*) = 2
