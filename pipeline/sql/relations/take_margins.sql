-- Takes with what came of them: the deal's score of the taker's side less the mean of the others'.
select turns.*, sides.score - (total - sides.score) / (side_count - 1) as margin
from (from turns where took > 0) as turns
join sides using (variant, lineup, game, deal, side)
join (select variant, lineup, game, deal, sum(score) as total, count(*) as side_count from sides group by all)
    using (variant, lineup, game, deal)
