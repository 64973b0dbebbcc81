/*
title = "Head to head"
answers = "Which strategy of a line-up wins? Share of games won, and points a deal ahead of the other sides, over mirror blocks: the same cards once in every seating of the strategies. Blocks with a game that hit the cap or is not played yet are left out; a line-up whose sides all play alike has no row."
grain = ["variant", "lineup", "strategy"]
empty = "Between sides that play alike nobody wins more: give a line-up of unlike strategies, such as safe~naive."

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
    select variant, given_lineup, min(cell) as place, count(*) as seatings, list(lineup) as lineups,
        min_by(side_strategies, cell) as given, len(list_distinct(list_transform(range(len(given)),
            lambda i: given[i + 1:] || given[:i]))) as rotations
    from cells group by all
),
per_strategy as (
    select variant, given_lineup, strategy, min(opponents) as opponents, count(*) as blocks,
        ratio_ci(won, 1, level := $level) as mean, share_ci(won, 1, level := $level) as extreme,
        ratio_ci(margin, deals, level := $level) as points
    from {mirror_blocks} where picked(variant, $variant) group by all
),
bounded as (
    select *, case when mean.value <= 0 or mean.value >= 1 then extreme else {'value': mean.value,
        'low': case when mean.low is not null then greatest(mean.low, 0) end,
        'high': case when mean.high is not null then least(mean.high, 1) end} end as win
    from per_strategy
)
select variant, given_lineup as lineup, strategy, array_to_string(opponents, '~') as opponent,
    blocks, blocks * seatings as games, win.value as win_rate, win.low as win_rate_low, win.high as win_rate_high,
    points.value as points_per_deal, points.low as points_per_deal_low, points.high as points_per_deal_high,
    seatings = rotations as mirrored, few(blocks, win) as few
from bounded join seatings using (variant, given_lineup)
where $lineup is null or list_has_any(lineups, $lineup)
order by place, list_position(given, strategy)
