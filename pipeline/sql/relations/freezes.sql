-- Times the pile became frozen for everybody, one row each, with the pile it froze; `last_turn` met it frozen last.
-- Where only a take ends a freeze, a pile has one at most; elsewhere the turns tell each, and the last turn's own no turn met.
select variant, lineup, game, deal, pile, frozen_turn, last_turn, frozen_by, frozen_side, frozen_strategy, wilds_on_frozen,
    cards, ending::varchar as ending, taken_side, taken_strategy
from piles join (select variant, lineup, freeze_ends from cells) using (variant, lineup)
where frozen_turn is not null and (freeze_ends = 'taken' or (ending = 'deal' and frozen_turn = last_turn))
union all
select variant, lineup, game, deal, pile, spans.frozen_turn, spans.last_turn, spans.frozen_by, spans.frozen_side, spans.frozen_strategy,
    wilds_on_frozen, cards, spans.ending, if(spans.ending = 'take', taken_side, null),
    if(spans.ending = 'take', taken_strategy, null)
from (
    select variant, lineup, game, deal, min(pile) as pile, min(turn) - 1 as frozen_turn, max(turn) as last_turn,
        arg_min(frozen_by, turn) as frozen_by, arg_min(side_before, turn) as frozen_side,
        arg_min(strategy_before, turn) as frozen_strategy,
        case when bool_or(took is not null) then 'take' when max(turn) = min(turns) then 'deal' else 'over' end as ending
    from (
        select *, sum((before is null or took_before is not null)::integer) filter (frozen_by is not null)
            over (partition by variant, lineup, game, deal order by turn) as nth
        from (
            select variant, lineup, game, deal, turn, took, frozen_by, lag(frozen_by) over so_far as before,
                lag(took) over so_far as took_before, lag(side) over so_far as side_before,
                lag(strategy) over so_far as strategy_before, max(turn) over (partition by variant, lineup, game, deal) as turns,
                1 + count(took) over (so_far rows between unbounded preceding and 1 preceding) as pile
            from turns join (select variant, lineup from cells where freeze_ends <> 'taken' and pile_frozen <> 'always')
                using (variant, lineup)
            window so_far as (partition by variant, lineup, game, deal order by turn)
        )
    )
    where frozen_by is not null
    group by variant, lineup, game, deal, nth
) as spans
join piles using (variant, lineup, game, deal, pile)
