/*
title = "Melds and canastas"
rule = "Every meld keeps to its least naturals and most wilds and has three cards; those of seven and more are the canastas that `sides` names; melded cards, their points and red threes are what the moves laid"
*/
with laid as (
    select game, deal, side, meld, count(*) as cards, count(*) filter (kind in ('2', 'JK')) as wilds, sum(points) as points
    from moves join cards using (card) where action in ('meld', 'take') group by all
),
per_side as (
    select game, deal, side, sum(cards) as cards, sum(points) as points,
        count(*) filter (cards >= 7 and wilds = 0 and meld <> '3') as naturals,
        count(*) filter (cards >= 7 and wilds > 0 and meld <> 'wild') as mixed
    from laid group by all
),
red as (select game, deal, side, count(*) as cards from moves where action = 'red3' group by all)
select 'too many wilds' as what, game, deal, side, meld, wilds as found, max_wilds as allowed
from laid, cells where meld <> 'wild' and wilds > max_wilds
union all
select 'too few naturals', game, deal, side, meld, cards - wilds, min_naturals
from laid, cells where meld <> 'wild' and cards - wilds < min_naturals
union all
select 'wilds compared with naturals', game, deal, side, meld, wilds, cards - wilds
from laid, cells
where meld <> 'wild' and (wild_ratio = 'not_more' and wilds > cards - wilds or wild_ratio = 'fewer' and wilds >= cards - wilds)
union all
select 'too short', game, deal, side, meld, cards, 3 from laid where cards < 3
union all
select 'canasta not in `sides`', game, deal, side, meld, 0, 1
from laid join sides using (game, deal, side)
where laid.cards >= 7 and meld not in ('wild', '3') and 1 > case meld
    when '4' then if(wilds = 0, natural_4, mixed_4) when '5' then if(wilds = 0, natural_5, mixed_5)
    when '6' then if(wilds = 0, natural_6, mixed_6) when '7' then if(wilds = 0, natural_7, mixed_7)
    when '8' then if(wilds = 0, natural_8, mixed_8) when '9' then if(wilds = 0, natural_9, mixed_9)
    when 'T' then if(wilds = 0, natural_T, mixed_T) when 'J' then if(wilds = 0, natural_J, mixed_J)
    when 'Q' then if(wilds = 0, natural_Q, mixed_Q) when 'K' then if(wilds = 0, natural_K, mixed_K)
    when 'A' then if(wilds = 0, natural_A, mixed_A) end
union all
select unnest(['natural canastas', 'mixed canastas', 'cards melded', 'points of cards', 'red threes']), game, deal, side, null,
    unnest([coalesce(naturals, 0), coalesce(mixed, 0), coalesce(per_side.cards, 0), coalesce(points, 0), coalesce(red.cards, 0)]),
    unnest([natural_canastas, mixed_canastas, melded_cards, card_points, red_threes])
from sides left join per_side using (game, deal, side) left join red using (game, deal, side)
where natural_canastas <> coalesce(naturals, 0) or mixed_canastas <> coalesce(mixed, 0)
    or melded_cards <> coalesce(per_side.cards, 0) or card_points <> coalesce(points, 0) or red_threes <> coalesce(red.cards, 0)
