/*
title = "First canasta"
answers = "When does a side have its first canasta, and how often none? Own turn of the seat that laid the seventh card, over all sides of deals: those without a canasta are later than all. `Run.distribution` and `Run.quantiles` of first_canasta_turn give the same with intervals."
grain = ["variant", "lineup", "strategy"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
strategy = { unit = "", description = "strategy of the side" }
games = { unit = "games", description = "games" }
side_deals = { unit = "side-deals", description = "sides of deals" }
with_canasta = { unit = "%", description = "those with a canasta", digits = 1 }
with_canasta_low = { unit = "%", description = "lower end of the interval", digits = 1 }
with_canasta_high = { unit = "%", description = "upper end of the interval", digits = 1 }
first_tenth = { unit = "own turn", description = "by which a tenth of the sides have one; empty: never" }
half = { unit = "own turn", description = "by which half of the sides have one; empty: never" }
nine_tenths = { unit = "own turn", description = "by which nine tenths of the sides have one; empty: never" }
few = { unit = "", description = "too few games to lean on" }
*/
with per_game as (
    select variant, lineup, strategy, game, count(*) as n, count(first_canasta_turn) as k
    from sides where picked(variant, $variant) and picked(lineup, $lineup) group by all
),
shares as (
    select variant, lineup, strategy, count(*) as games, sum(n)::bigint as side_deals, share_ci(k, n, level := $level) as found
    from per_game group by all
),
turns as (
    select variant, lineup, strategy,
        quantile_disc(coalesce(first_canasta_turn, 1000000), [0.1, 0.5, 0.9]) as times
    from sides where picked(variant, $variant) and picked(lineup, $lineup) group by all
)
select variant, lineup, strategy, shares.games, side_deals, found.value as with_canasta, found.low as with_canasta_low,
    found.high as with_canasta_high, nullif(times[1], 1000000) as first_tenth, nullif(times[2], 1000000) as half,
    nullif(times[3], 1000000) as nine_tenths, few(shares.games, found) as few
from shares join turns using (variant, lineup, strategy) join cells using (variant, lineup)
order by cell, strategy
