/*
title = "Totals carry from deal to deal"
rule = "A side begins a game with 0 and each later deal with the total of the deal before; the game's scores are those of its last deal"
*/
select game, deal, side, score_before as found, before.score_after as expected
from sides left join (select game, deal + 1 as deal, side, score_after from sides) as before using (game, deal, side)
where score_before is distinct from (case when deal = 1 then 0 else before.score_after end)
union all
select game, deal, side, scores[side], score_after
from sides join games using (game)
where deal = deals and scores[side] is distinct from score_after
