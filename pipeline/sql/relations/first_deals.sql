-- Deal 1 of mirror blocks of two unlike sides: the margin of the strategy named first, sitting on side 1 and on side 2.
-- Rows are grouped by a number for the line-up, which costs half of what names cost.
with seatings as (
    select variant, lineup, given_lineup, min(cell) over (partition by variant, given_lineup) as pair,
        list_position(side_strategies, min_by(side_strategies[1], cell) over (partition by variant, given_lineup)) as own
    from cells where len(side_strategies) = 2 and len(list_distinct(side_strategies)) = 2
)
select variant, given_lineup as lineup, given_lineup, game, first_margin, second_margin
from (
    select pair, game, count(*) as sides,
        sum(case when own <> 1 then 0 when side = 1 then score else -score end)::bigint as first_margin,
        sum(case when own <> 2 then 0 when side = 2 then score else -score end)::bigint as second_margin
    from (from sides where deal = 1) join seatings using (variant, lineup)
    group by pair, game
) join (select distinct pair, variant, given_lineup from seatings) using (pair)
where sides = 4
