-- Sides of games that did not hit the cap, with what they won of the game, a tied one in parts.
select variant, lineup, game, side, side_strategy_of(side, variant, lineup) as strategy,
    case when winner is not null then (winner = side)::integer
        when scores[side] = list_max(scores) then 1 / len(list_filter(scores, lambda s: s = list_max(scores)))
        else 0 end as won
from (select *, unnest(range(1, len(scores) + 1))::integer as side from games where ending <> 'cap')
