-- Mirror blocks, a game under every seating of a line-up, one row a strategy of it: its mean result, its points ahead of
-- the other sides' mean and the deals, summed over its sides. Blocks that lack a game or have one that hit the cap are left out.
with seatings as (
    select variant, given_lineup, lineup, side_strategies,
        count(*) over (partition by variant, given_lineup) as seatings,
        min_by(side_strategies, cell) over (partition by variant, given_lineup) as given
    from cells where len(list_distinct(side_strategies)) > 1
),
results as (
    select variant, given_lineup, given, seatings, game, deals, ending, strategies[side] as strategy,
        case when winner is not null then (winner = side)::integer
            when scores[side] = list_max(scores) then 1 / len(list_filter(scores, lambda s: s = list_max(scores)))
            else 0 end as won,
        scores[side] - (list_sum(scores) - scores[side]) / (len(scores) - 1) as margin
    from (select *, side_strategies as strategies, unnest(range(1, len(side_strategies) + 1)) as side
        from games join seatings using (variant, lineup))
)
select variant, given_lineup as lineup, given_lineup, game, strategy,
    list_filter(given, lambda one, place: one <> strategy and list_position(given, one) = place) as opponents,
    avg(won) as won, sum(margin) as margin, sum(deals) as deals
from results group by variant, given_lineup, given, seatings, game, strategy
having bool_and(ending <> 'cap') and count(*) = seatings * len(list_filter(given, lambda one: one = strategy))
