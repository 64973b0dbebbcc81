-- Turns with whether the next seat's side had opened before: of two sides or more, that of the seat after this one.
select turns.*, coalesce(opened_in < turn, false) as they_opened
from (select *, side % max_side + 1 as next_side
    from turns join (select variant, lineup, len(side_strategies) as max_side from cells) using (variant, lineup)) as turns
left join (select variant, lineup, game, deal, side as next_side, turn as opened_in from turns where opened)
    using (variant, lineup, game, deal, next_side)
