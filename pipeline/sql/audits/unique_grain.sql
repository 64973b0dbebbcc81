/*
title = "One row each"
rule = "Rows of every table lie in the order of its key, each key once; piles, deals, sides and games count 1, 2, 3 …, and a deal has all its sides"
*/
select 'piles' as of, game, deal, pile as place
from (select game, deal, pile, lag(game) over () as last_game, lag(deal) over () as last_deal, lag(pile) over () as last_pile from piles)
where not coalesce((game = last_game and deal = last_deal and pile = last_pile + 1)
    or (pile = 1 and (last_game is null or (game, deal) > (last_game, last_deal))), false)
union all
select 'sides', game, deal, side
from (select game, deal, side, lag(game) over () as last_game, lag(deal) over () as last_deal, lag(side) over () as last_side from sides)
where not coalesce((game = last_game and deal = last_deal and side = last_side + 1)
    or (side = 1 and (last_game is null or (game, deal) > (last_game, last_deal))), false)
union all
select 'deals', game, deal, deal
from (select game, deal, lag(game) over () as last_game, lag(deal) over () as last_deal from deals)
where not coalesce((game = last_game and deal = last_deal + 1) or (deal = 1 and (last_game is null or game = last_game + 1)), false)
union all
select 'games', game, null, game
from (select game, lag(game) over () as last_game from games)
where not (last_game is null or game = last_game + 1)
union all
select 'sides', game, deal, count(side)
from deals left join sides using (game, deal) group by game, deal
having count(side) <> (select len(side_strategies) from cells)
