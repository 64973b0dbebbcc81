-- Deals in which one side alone made the biggest take: what that side won of the deal, 1 or its part of a tie.
select variant, lineup, game, deal,
    if(scores[side] = list_max(scores), 1 / len(list_filter(scores, lambda score: score = list_max(scores))), 0) as won
from (
    select variant, lineup, game, deal, arg_max(side, biggest) as side
    from (select variant, lineup, game, deal, side, max(took) as biggest from turns where took > 0 group by all)
    group by all
    having count(*) = 1 or max(biggest, 2)[1] > max(biggest, 2)[2]
) join (
    select variant, lineup, game, deal, list(score order by side) as scores from sides group by all
) using (variant, lineup, game, deal)
