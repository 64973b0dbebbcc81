/*
title = "Ladder"
answers = "Who is best? Strengths by Bradley and Terry from all line-ups of two unlike sides, over mirror blocks, as the win rate against a player of the pool's mean strength. Intervals are bootstrapped, each on its own; ties are those whose difference in strength has an interval that holds 0."
grain = ["variant", "strategy"]
empty = "A ladder needs line-ups of two sides that play unlike strategies, such as safe~naive, in all seatings."
then = "rank"

[columns]
variant = { unit = "", description = "slug of the rules" }
rank = { unit = "number", description = "place, 1 the strongest" }
strategy = { unit = "", description = "strategy of a side" }
win_rate = { unit = "%", description = "chance to win a game against a player of the pool's mean strength", digits = 1 }
win_rate_low = { unit = "%", description = "lower end of the interval", digits = 1 }
win_rate_high = { unit = "%", description = "upper end of the interval", digits = 1 }
strength = { unit = "", description = "logarithm of the odds behind the win rate", digits = 3 }
blocks = { unit = "blocks", description = "mirror blocks played against all others" }
ties = { unit = "", description = "whom it cannot be told apart from" }
few = { unit = "", description = "too few blocks to lean on" }
*/
select variant, strategy as first, opponents[1] as second, (game - 1) % 256 as fold,
    sum(won) as result, count(*) as blocks
from {mirror_blocks} join (
    select variant, given_lineup, min(cell) as cell, list(lineup) as lineups
    from cells where len(side_strategies) = 2 group by all
) using (variant, given_lineup)
where strategy < opponents[1] and picked(variant, $variant) and ($lineup is null or list_has_any(lineups, $lineup))
group by all
order by min(cell), first, second, fold
