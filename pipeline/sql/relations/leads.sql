-- Who leads after each deal, one row a game and deal: `leader` null on a tie, `led_before` the last leader before this deal.
select variant, lineup, game, deal, leader, winner, deals, ending as game_ending, last_value(leader ignore nulls) over (
        partition by variant, lineup, game order by deal rows between unbounded preceding and 1 preceding) as led_before
from (
    select variant, lineup, game, deal,
        case when max(score_after, 2)[1] > max(score_after, 2)[2] then arg_max(side, score_after) end as leader
    from sides group by all
) join games using (variant, lineup, game)
