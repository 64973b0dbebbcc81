/*
title = "Melds and canastas"
rule = "Every meld keeps to its least naturals and most wilds and has three cards; those of seven and more are the canastas that `sides` names; melded cards, their points and red threes are what the moves laid; sequences have one suit and no wild card. A meld that joins another is compared as one with it, and so are melds of a rank of which some joined; sequences, whose name changes as they grow, are counted by suit; where partners find each other during a deal, only its totals are compared, for either may have had melds of that rank"
*/
with homes as (select game, deal, side, least(side, coalesce(partner, side)) as home from sides),
own as (
    select game, deal, side, meld, count(*) as cards, count(*) filter (kind in ('2', 'JK')) as wilds, sum(points) as points,
        count(*) filter (suit = left(meld, 1)) as of_suit
    from moves join cards using (card) where action in ('meld', 'take') group by all
),
-- partners of a deal who found each other in it have their melds together, in the lower seat's row
laid as (
    select game, deal, home as side, meld, sum(cards) as cards, sum(wilds) as wilds, sum(points) as points, sum(of_suit) as of_suit,
        regexp_matches(meld, '^[CDHS]') as sequence, split_part(meld, '.', 1) as kind
    from own join homes using (game, deal, side) group by all
),
joined as (
    select distinct game, deal, home as side, split_part(meld, '.', 1) as kind
    from moves join homes using (game, deal, side) where action = 'join'
),
-- wild melds keep to no number of naturals; a rank's melds of which some joined are left out
single as (
    select laid.* from laid anti join joined using (game, deal, side, kind), cells
    where kind not in ('wild', '3') and not sequence and cells.sides <> 'lone_hand'
),
per_side as (
    select game, deal, side, sum(cards) as cards, sum(points) as points,
        count(*) filter (cards >= 7 and wilds = 0 and kind not in ('3', 'wild') and not sequence) as naturals,
        count(*) filter (cards >= 7 and wilds > 0 and kind not in ('3', 'wild')) as mixed,
        count(*) filter (cards >= 7 and kind = 'wild') as wild, count(*) filter (cards >= 7 and kind = '3') as royal,
        coalesce(sum(cards) filter (sequence), 0) as in_sequences
    from laid group by all
),
red as (select game, deal, side, count(*) as cards from moves where action = 'red3' group by all),
merged as (select distinct game, deal, side from joined)
select 'too many wilds' as what, game, deal, side, meld, wilds as found, max_wilds as allowed
from single, cells where wilds > max_wilds
union all
select 'too few naturals', game, deal, side, meld, cards - wilds, min_naturals
from single, cells where cards - wilds < min_naturals
union all
select 'wilds compared with naturals', game, deal, side, meld, wilds, cards - wilds
from single, cells
where wild_ratio = 'not_more' and wilds > cards - wilds or wild_ratio = 'fewer' and wilds >= cards - wilds
union all
select 'too short', game, deal, side, meld, cards, 3 from single where cards < 3
union all
select 'not of its sequence', game, deal, side, meld, of_suit, cards from laid where sequence and (wilds > 0 or of_suit <> cards)
union all
select 'canasta not in `sides`', game, deal, side, meld, 0, 1
from single join sides using (game, deal, side)
where single.cards >= 7 and 1 > case kind
    when '4' then if(wilds = 0, natural_4, mixed_4) when '5' then if(wilds = 0, natural_5, mixed_5)
    when '6' then if(wilds = 0, natural_6, mixed_6) when '7' then if(wilds = 0, natural_7, mixed_7)
    when '8' then if(wilds = 0, natural_8, mixed_8) when '9' then if(wilds = 0, natural_9, mixed_9)
    when 'T' then if(wilds = 0, natural_T, mixed_T) when 'J' then if(wilds = 0, natural_J, mixed_J)
    when 'Q' then if(wilds = 0, natural_Q, mixed_Q) when 'K' then if(wilds = 0, natural_K, mixed_K)
    when 'A' then if(wilds = 0, natural_A, mixed_A) end
union all
select unnest(['natural canastas', 'mixed canastas', 'wild canastas', 'royal canastas', 'cards in sequences']), game, deal, side, null,
    unnest([coalesce(naturals, 0), coalesce(mixed, 0), coalesce(wild, 0), coalesce(royal, 0), coalesce(in_sequences, 0)]),
    unnest([natural_canastas, mixed_canastas, wild_canastas, royal_canastas, 7 * sequence_canastas])
from sides left join per_side using (game, deal, side) anti join merged using (game, deal, side), cells
where cells.sides <> 'lone_hand' and (natural_canastas <> coalesce(naturals, 0) or mixed_canastas <> coalesce(mixed, 0)
    or wild_canastas <> coalesce(wild, 0) or black3_meld = 'as_rank' and royal_canastas <> coalesce(royal, 0)
    or 7 * sequence_canastas > coalesce(in_sequences, 0))
union all
select unnest(['cards melded', 'points of cards', 'red threes']), game, deal, side, null,
    unnest([coalesce(per_side.cards, 0), coalesce(points, 0), coalesce(red.cards, 0)]),
    unnest([melded_cards, card_points, red_threes + black_threes])
from sides left join per_side using (game, deal, side) left join red using (game, deal, side), cells
where melded_cards <> coalesce(per_side.cards, 0) or red_threes + black_threes <> coalesce(red.cards, 0)
    -- a side without a canasta counts its melds minus under some rules; a partner's row has the points of the lower seat's
    or (special_points = 0 and coalesce(partner > side, true) and card_points <> coalesce(points, 0)
        and not (melds_negative_without_canasta and card_points = -coalesce(points, 0)
            and natural_canastas + mixed_canastas + wild_canastas + sequence_canastas + royal_canastas = 0))
