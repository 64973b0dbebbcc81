/*
title = "Figures of a run"
answers = "How much is in the run, and can it be trusted: games, deals and turns of each cell, games that hit the cap, deals that a turn cap or an empty stock ended?"
grain = ["variant", "lineup"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
games = { unit = "games", description = "committed games" }
games_planned = { unit = "games", description = "games of the plan" }
deals = { unit = "deals", description = "deals played" }
turns = { unit = "turns", description = "turns of all deals" }
capped_games = { unit = "games", description = "games that hit the cap of deals" }
capped_deals = { unit = "deals", description = "deals that hit the cap of turns" }
stock_deals = { unit = "deals", description = "deals that ended with the stock, its last red three included" }
*/
with ended as (
    select variant, lineup, count(*) filter (ending = 'cap') as capped_deals,
        count(*) filter (ending in ('stock', 'red_three')) as stock_deals
    from deals where picked(variant, $variant) and picked(lineup, $lineup) group by all
),
played as (
    select variant, lineup, sum(deals)::bigint as deals, sum(turns)::bigint as turns,
        count(*) filter (ending = 'cap') as capped_games
    from games where picked(variant, $variant) and picked(lineup, $lineup) group by all
)
select variant, lineup, games, games_planned, coalesce(played.deals, 0) as deals, coalesce(turns, 0) as turns,
    coalesce(capped_games, 0) as capped_games, coalesce(capped_deals, 0) as capped_deals, coalesce(stock_deals, 0) as stock_deals
from cells left join played using (variant, lineup) left join ended using (variant, lineup)
where picked(variant, $variant) and picked(lineup, $lineup)
order by cell
