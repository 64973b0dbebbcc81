/*
title = "Game length"
answers = "How long is a game: turns in all, how many deals, and how long is a deal? Games that hit the cap are left out of the games' own figures."
grain = ["variant", "lineup"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
games = { unit = "games", description = "completed games" }
turns_per_game = { unit = "turns", description = "turns of all deals ÷ completed games", digits = 1 }
turns_per_game_low = { unit = "turns", description = "lower end of the interval", digits = 1 }
turns_per_game_high = { unit = "turns", description = "upper end of the interval", digits = 1 }
deals_per_game = { unit = "deals", description = "deals ÷ completed games", digits = 2 }
deals_per_game_low = { unit = "deals", description = "lower end of the interval", digits = 2 }
deals_per_game_high = { unit = "deals", description = "upper end of the interval", digits = 2 }
turns_per_deal = { unit = "turns", description = "turns ÷ deals, of all games", digits = 2 }
turns_per_deal_low = { unit = "turns", description = "lower end of the interval", digits = 2 }
turns_per_deal_high = { unit = "turns", description = "upper end of the interval", digits = 2 }
capped = { unit = "%", description = "games that hit the cap ÷ all games", digits = 2 }
few = { unit = "", description = "too few games to lean on" }
*/
with played as (
    select *, (ending <> 'cap')::integer as completed from games
    where picked(variant, $variant) and picked(lineup, $lineup)
),
per_cell as (
    select variant, lineup, count(*) as all_games, sum(completed)::bigint as games,
        ratio_ci(turns * completed, completed, level := $level) as turns,
        ratio_ci(deals * completed, completed, level := $level) as deals,
        ratio_ci(turns, deals, level := $level) as per_deal
    from played group by variant, lineup
)
select variant, lineup, per_cell.games,
    turns.value as turns_per_game, turns.low as turns_per_game_low, turns.high as turns_per_game_high,
    per_cell.deals.value as deals_per_game, per_cell.deals.low as deals_per_game_low,
    per_cell.deals.high as deals_per_game_high,
    per_deal.value as turns_per_deal, per_deal.low as turns_per_deal_low, per_deal.high as turns_per_deal_high,
    share(all_games - per_cell.games, all_games) as capped, few(per_cell.games, turns) as few
from per_cell join cells using (variant, lineup) order by cell
