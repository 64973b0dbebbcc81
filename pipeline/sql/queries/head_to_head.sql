/*
title = "Head to head"
answers = "Which strategy of a line-up wins? Share of games won, and points a deal ahead of the other sides, over mirror blocks: the same cards once in every seating of the strategies. Blocks with a game that hit the cap or is not played yet are left out; a line-up whose sides all play alike has no row."
grain = ["variant", "lineup", "strategy"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "the line-up as given in the plan, all its seatings together" }
strategy = { unit = "", description = "strategy of a side" }
opponent = { unit = "", description = "strategies of the other sides" }
blocks = { unit = "blocks", description = "mirror blocks: a game under every seating, the unit of the intervals" }
games = { unit = "games", description = "games of these blocks" }
win_rate = { unit = "%", description = "games won by the strategy, a shared one in parts, mean over blocks", digits = 1 }
win_rate_low = { unit = "%", description = "lower end of the interval", digits = 1 }
win_rate_high = { unit = "%", description = "upper end of the interval", digits = 1 }
points_per_deal = { unit = "points", description = "points ahead of the other sides' mean ÷ deals", digits = 1 }
points_per_deal_low = { unit = "points", description = "lower end of the interval", digits = 1 }
points_per_deal_high = { unit = "points", description = "upper end of the interval", digits = 1 }
mirrored = { unit = "", description = "every seating was played: no side has an advantage left in the figures" }
few = { unit = "", description = "too few blocks to lean on" }
*/
with seatings as (
    select variant, given_lineup, lineup, cell, side_strategies,
        count(*) over (partition by variant, given_lineup) as seatings,
        min_by(side_strategies, cell) over (partition by variant, given_lineup) as given,
        min(cell) over (partition by variant, given_lineup) as place,
        len(list_distinct(list_transform(range(len(side_strategies)),
            lambda i: side_strategies[i + 1:] || side_strategies[:i]))) as rotations
    from cells
    where picked(variant, $variant) and len(list_distinct(side_strategies)) > 1
        and given_lineup in (select given_lineup from cells where picked(lineup, $lineup))
),
played as (
    select variant, given_lineup, place, given, seatings, rotations, game, deals, ending, scores, winner,
        unnest(side_strategies) as strategy, unnest(range(1, len(side_strategies) + 1)) as side
    from games join seatings using (variant, lineup)
),
results as (
    select *, case when winner is not null then (winner = side)::integer
            when scores[side] = list_max(scores) then 1 / len(list_filter(scores, lambda s: s = list_max(scores)))
            else 0 end as won,
        scores[side] - (list_sum(scores) - scores[side]) / (len(scores) - 1) as margin
    from played
),
blocks as (
    select variant, given_lineup, place, given, seatings, rotations, strategy, game, avg(won) as won,
        sum(margin) as margin, sum(deals) as deals
    from results group by all
    having bool_and(ending <> 'cap') and count(*) = seatings * len(list_filter(given, lambda one: one = strategy))
),
per_strategy as (
    select variant, given_lineup, place, given, seatings, rotations, strategy, count(*) as blocks,
        ratio_ci(won, 1, level := $level) as mean, share_ci(won, 1, level := $level) as extreme,
        ratio_ci(margin, deals, level := $level) as points
    from blocks group by all
),
bounded as (
    select *, case when mean.value <= 0 or mean.value >= 1 then extreme else {'value': mean.value,
        'low': case when mean.low is not null then greatest(mean.low, 0) end,
        'high': case when mean.high is not null then least(mean.high, 1) end} end as win
    from per_strategy
)
select variant, given_lineup as lineup, strategy,
    array_to_string(list_filter(given,
        lambda one, place: one <> strategy and list_position(given, one) = place), '~') as opponent,
    blocks, blocks * seatings as games, win.value as win_rate, win.low as win_rate_low, win.high as win_rate_high,
    points.value as points_per_deal, points.low as points_per_deal_low, points.high as points_per_deal_high,
    seatings = rotations as mirrored, few(blocks, win) as few
from bounded order by place, list_position(given, strategy)
