/*
title = "Games end as the rules say"
rule = "A game ends just with the first deal after which one side leads at or above the target (with a tie only if it may be shared), or with the last of its deals, or with the cap of a hundred, or at once where rules let a side win the match; the winner is the one leader"
*/
with totals as (
    select game, deal, max(score_after) as best, arg_max(side, score_after) as leader,
        (max(score_after) > coalesce(max(score_after, 2)[2], -1e9)) as alone
    from sides group by all
),
judged as (
    select totals.*, games.deals as last, winner, games.ending,
        coalesce(best >= target, false) as reached, coalesce(best >= target and (alone or tie = 'shared'), false) as won,
        coalesce(deal >= cells.deals, false) as dealt_out
    from totals join games using (game), cells
)
select 'goes on after its end' as what, game, deal, ending, best, leader, winner
from judged where deal < last and ending <> 'special' and (won or dealt_out and not reached or deal >= 100)
union all
select 'ends too early', game, deal, ending, best, leader, winner
from judged where deal = last and not case ending
    when 'target' then won
    when 'deals' then dealt_out and not reached
    when 'cap' then deal >= 100 and not won
    else (select count(*) > 0 from deals where deals.game = judged.game and deals.deal = judged.deal and deals.ending = 'special')
        or list_contains((select match_win from cells), 'seven_canastas') and (select max(natural_canastas + mixed_canastas
            + wild_canastas + sequence_canastas + royal_canastas) >= 7 from sides where sides.game = judged.game and sides.deal = judged.deal) end
union all
select 'winner', game, deal, ending, best, leader, winner
from judged where deal = last and ending <> 'special'
    and winner is distinct from (case when alone and ending <> 'cap' then leader end)
