/*
title = "Biggest swings"
answers = "Which deals turned most? The deals with the largest margins of a side over the others' mean, with its lead over the best of the others before and after."
grain = ["variant", "lineup", "game", "deal", "side"]

[parameters.most]
type = "int"
default = 20
least = 0
description = "at most so many rows"

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
game = { unit = "number", description = "game" }
deal = { unit = "number", description = "deal of the game" }
side = { unit = "number", description = "side that gained" }
strategy = { unit = "", description = "strategy of the side" }
score = { unit = "points", description = "score of the side in the deal" }
margin = { unit = "points", description = "its score less the mean of the others'" }
lead_before = { unit = "points", description = "its lead over the best of the others before the deal" }
lead_after = { unit = "points", description = "its lead over the best of the others after the deal" }
command = { unit = "", description = "what shows the deal, RUN being the run's folder" }
*/
with totals as (
    select variant, lineup, game, deal, max(score) as best, sum(score) as total, count(*) as sides, arg_max(side, score) as winner
    from sides where picked(variant, $variant) and picked(lineup, $lineup) group by all
),
biggest as (
    select *, best - (total - best) / (sides - 1) as margin from totals
    order by margin desc, game, deal, variant, lineup limit $most
),
rows as (
    select biggest.*, cell, side, strategy, score_before, score_after, side = winner as own
    from biggest join sides using (variant, lineup, game, deal) join cells using (variant, lineup)
)
select variant, lineup, game, deal, winner as side, min(strategy) filter (own) as strategy, best as score, margin,
    max(score_before) filter (own) - max(score_before) filter (not own) as lead_before,
    max(score_after) filter (own) - max(score_after) filter (not own) as lead_after,
    replay_command(variant, lineup, game, deal) as command
from rows
group by variant, lineup, game, deal, winner, best, margin, cell
order by margin desc, game, deal, cell
