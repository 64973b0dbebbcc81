/*
title = "Moves in order"
rule = "Within a deal moves count 1, 2, 3 … and turns 0 or 1, then on by one; deals and games follow one another; so no move is there twice or missing"
*/
select game, deal, turn, move, last_game, last_deal, last_turn, last_move
from (select game, deal, turn, move, lag(game) over () as last_game, lag(deal) over () as last_deal,
    lag(turn) over () as last_turn, lag(move) over () as last_move from moves)
where not coalesce(
    (game = last_game and deal = last_deal and move = last_move + 1 and turn in (last_turn, last_turn + 1))
    or (move = 1 and turn in (0, 1) and (last_game is null or (game = last_game and deal = last_deal + 1)
        or (game = last_game + 1 and deal = 1))), false)
