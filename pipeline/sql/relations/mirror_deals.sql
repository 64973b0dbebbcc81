-- Mirror blocks by the deals of their games, one row a strategy: deals, and how many of them it won, tied ones in parts.
with seatings as (
    select variant, given_lineup, lineup, count(*) over (partition by variant, given_lineup) as seatings,
        min_by(side_strategies, cell) over (partition by variant, given_lineup) as given
    from cells where len(list_distinct(side_strategies)) > 1
),
best as (
    select variant, lineup, game, deal, max(score) as best, count(*) as side_count,
        len(list_filter(list(score), lambda one: one = max(score))) as winners
    from sides group by all
),
results as (
    select variant, given_lineup, given, seatings, game, lineup, strategy, if(score = best, 1 / winners, 0) as won
    from sides join best using (variant, lineup, game, deal) join seatings using (variant, lineup)
)
select variant, given_lineup as lineup, given_lineup, game, strategy,
    list_filter(given, lambda one, place: one <> strategy and list_position(given, one) = place) as opponents,
    sum(won) as won, count(*) as deals
from results group by variant, given_lineup, given, seatings, game, strategy
having count(distinct lineup) = seatings
