-- Mirror blocks by block of games, off roll-ups: the columns of the relations, means over the `games` of the row.
with seatings as (
    select variant, given_lineup, lineup, side_strategies, count(*) over (partition by variant, given_lineup) as seatings,
        min_by(side_strategies, cell) over (partition by variant, given_lineup) as given
    from cells where len(list_distinct(side_strategies)) > 1
),
of_games as (
    select variant, lineup, block, strategy, sum(won) as won, sum("rows") as rows
    from {games} group by all
),
of_deals as (
    select variant, lineup, block, strategy, sum(won) as deals_won, sum(ahead) as ahead, sum("rows") as deals
    from {deals} group by all
),
results as (
    select variant, given_lineup, given, seatings, block, strategy, sum(won) as won, sum(rows) as rows,
        sum(deals_won) as deals_won, sum(ahead / (len(side_strategies) - 1)) as margin, sum(deals) as deals
    from of_games join of_deals using (variant, lineup, block, strategy) join seatings using (variant, lineup)
    group by all
),
{table} as (
    select variant, given_lineup as lineup, given_lineup, block, strategy,
        list_filter(given, lambda one, place: one <> strategy and list_position(given, one) = place) as opponents,
        rows / (seatings * len(list_filter(given, lambda one: one = strategy))) as games,
        {won} as won, margin / games as margin, deals / games as deals
    from results
)
select {keys}, variant as "of variant", given_lineup as "of line-up", strategy as "of strategy", block,
    sum(games * ({numerator}))::double as k, sum(games * ({denominator}))::double as n,
    sum(games) filter (({denominator}) > 0)::double as games
from {table}
where picked(variant, $variant) and picked(lineup, $lineup)
group by all
