-- Mirror blocks by the deals of their games, one row a strategy: deals, and how many of them it won, tied ones in parts.
-- Scores of up to six sides stand side by side, which costs a tenth of lists of them.
with seatings as (
    select variant, given_lineup, lineup, side_strategies, count(*) over (partition by variant, given_lineup) as seatings,
        min_by(side_strategies, cell) over (partition by variant, given_lineup) as given
    from cells where len(list_distinct(side_strategies)) > 1
),
scores as (
    select variant, lineup, game, deal, max(score) as best, max(score) filter (side = 1) as s1,
        max(score) filter (side = 2) as s2, max(score) filter (side = 3) as s3, max(score) filter (side = 4) as s4,
        max(score) filter (side = 5) as s5, max(score) filter (side = 6) as s6
    from sides group by all
),
winners as (
    select *, (s1 = best)::integer + (s2 = best)::integer + coalesce((s3 = best)::integer, 0)
        + coalesce((s4 = best)::integer, 0) + coalesce((s5 = best)::integer, 0) + coalesce((s6 = best)::integer, 0) as winners
    from scores
),
of_games as (
    select variant, lineup, game, count(*) as deals, [sum((s1 = best)::integer / winners), sum((s2 = best)::integer / winners),
        sum((s3 = best)::integer / winners), sum((s4 = best)::integer / winners), sum((s5 = best)::integer / winners),
        sum((s6 = best)::integer / winners)] as won
    from winners group by all
),
results as (
    select variant, given_lineup, given, seatings, lineup, game, deals, won[side] as won, side_strategies[side] as strategy
    from (select *, unnest(range(1, len(side_strategies) + 1)) as side from of_games join seatings using (variant, lineup))
)
select variant, given_lineup as lineup, given_lineup, game, strategy,
    list_filter(given, lambda one, place: one <> strategy and list_position(given, one) = place) as opponents,
    sum(won) as won, sum(deals) as deals
from results group by variant, given_lineup, given, seatings, game, strategy
having count(distinct lineup) = seatings
