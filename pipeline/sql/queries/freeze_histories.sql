/*
title = "Freeze histories"
answers = "Who froze the pile when, with what, for how long, and who got it? One row a freeze, the longest freezes first or in the order of play."
grain = ["variant", "lineup", "game", "deal", "frozen_turn"]
empty = "No card froze a pile in what was chosen."

[parameters.game]
type = "int"
default = 0
least = 0
description = "only this game; 0 for all"

[parameters.first]
type = "text"
default = "longest"
choices = ["longest", "played"]
description = "what comes first: the longest freezes, or those first played"

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
pile = { unit = "number", description = "life of the pile within the deal" }
frozen_turn = { unit = "number", description = "turn whose discard froze it; 0 when the deal did" }
frozen_by = { unit = "", description = "what froze it" }
frozen_side = { unit = "number", description = "side that froze it; empty when the deal did" }
frozen_strategy = { unit = "", description = "strategy of the seat that froze it" }
turns = { unit = "turns", description = "turns that met it frozen" }
ending = { unit = "", description = "take: the pile was taken; deal: the deal ended first; over: the rules ended the freeze before" }
wilds = { unit = "cards", description = "wild cards thrown on the pile while it was frozen" }
cards = { unit = "cards", description = "cards in it when taken or left" }
taken_side = { unit = "number", description = "side that took it; empty when nobody did while it was frozen" }
taken_strategy = { unit = "", description = "strategy of the seat that took it" }
won = { unit = "", description = "whether the side that froze it took it; empty when nobody did, or the deal froze it" }
command = { unit = "", description = "what shows the deal, RUN being the run's folder" }
*/
select variant, lineup, game, deal, pile, frozen_turn, frozen_by, frozen_side, frozen_strategy, last_turn - frozen_turn as turns, ending,
    wilds_on_frozen as wilds, cards, taken_side, taken_strategy, taken_side = frozen_side as won,
    replay_command(variant, lineup, game, deal) as command
from {freezes} join (select variant, lineup, cell from cells) using (variant, lineup)
where picked(variant, $variant) and picked(lineup, $lineup) and ($game = 0 or game = $game)
order by case when $first = 'longest' then frozen_turn - last_turn end, cell, game, deal, frozen_turn
limit $most
