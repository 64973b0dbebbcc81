/*
title = "Sides agree with turns"
rule = "Takes, legal takes, cards taken, the opening and the freezes of a side are those of its turns and piles"
*/
with played as (
    select game, deal, side, count(took) as takes, coalesce(sum(took), 0) as taken_cards,
        count(*) filter (could_take) as legal_takes, count(*) filter (opened) as opened,
        max(seat) filter (opened) as open_seat, max(turn) filter (opened) as turn
    from turns group by all
),
froze as (select game, deal, frozen_side as side, count(*) as freezes from {freezes} where frozen_turn > 0 group by all)
select game, deal, side, sides.takes, played.takes as turns_takes, sides.taken_cards, played.taken_cards as turns_taken_cards,
    sides.legal_takes, played.legal_takes as turns_legal_takes, sides.open_seat, played.open_seat as turns_open_seat,
    sides.open_turn, (played.turn - 1) // seats + 1 as turns_open_turn, sides.freezes, froze.freezes as piles_freezes
from sides join deals using (game, deal) left join played using (game, deal, side) left join froze using (game, deal, side)
where sides.takes <> coalesce(played.takes, 0) or sides.taken_cards <> coalesce(played.taken_cards, 0)
    or sides.legal_takes <> coalesce(played.legal_takes, 0) or coalesce(opened, 0) > 1
    or sides.open_seat is distinct from played.open_seat
    or sides.open_turn is distinct from (played.turn - 1) // seats + 1
    or sides.freezes <> coalesce(froze.freezes, 0)
