/*
title = "Cards in hand"
rule = "A seat lays, melds and discards only cards it was dealt, drew or picked up with a pile, and what it never played is what its side is left with; a reserve counts as dealt. Of a pile of which a part was taken, the cards that lay uppermost went"
*/
-- Counts of thirteen cards are added up in one number (`packed_weight`): no group for each card of each hand.
with weights as (select card, points, place, (place - 1) // 13 as quarter, packed_weight(place) as weight from cards),
thrown as (select game, deal, turn, discard as card from turns where discard is not null),
taken as (select game, deal, taken_seat as seat, unnest(range(first_turn, last_turn)) as turn from piles where ending = 'take'),
-- Where a take may leave a part of the pile: how high each card lay in it, and the first take that reached down to it.
lain as (
    select game, deal, turn, discard as card, 1 + case when took is null then pile when pile_rest = 'stays' then pile - took else 0 end as height
    from turns, cells where discard is not null and pile_portion <> 'all'
    union all
    select game, deal, 0, unnest(upcards), unnest(range(1, len(upcards) + 1)) from deals, cells where pile_portion <> 'all'
),
parts as (select game, deal, turn, seat, pile - took as rest from turns, cells where took is not null and pile_portion <> 'all'),
picked_up as (
    select parts.game, parts.deal, parts.seat, card, height > rest as is_in
    from lain join parts on lain.game = parts.game and lain.deal = parts.deal and parts.turn > lain.turn, cells
    where height > rest or pile_rest = 'removed'
    qualify row_number() over (partition by parts.game, parts.deal, lain.turn, height order by parts.turn) = 1
),
flows as (
    select game, deal, seat::integer as seat, unnest(hand) as card, 1 as n
    from (select game, deal, unnest(hands) as hand, unnest(range(1, len(hands) + 1)) as seat from deals)
    union all
    -- a reserve is the seat's own from the deal on, and what it never takes up it is left with
    select game, deal, seat::integer, unnest(reserve), 1
    from (select game, deal, unnest(reserves) as reserve, unnest(range(1, len(reserves) + 1)) as seat from deals)
    union all
    select game, deal, taken_seat, unnest(upcards), 1
    from deals join piles using (game, deal), cells where piles.pile = 1 and piles.ending = 'take' and pile_portion = 'all'
    union all
    select game, deal, seat, card, 1 from thrown join taken using (game, deal, turn), cells where pile_portion = 'all'
    union all
    select game, deal, seat, card, 1 from picked_up where is_in
    union all
    select game, deal, seat, card, case when action in ('draw', 'bonus') then 1 else -1 end
    from moves where action in ('draw', 'bonus', 'red3', 'meld', 'take', 'discard', 'aside')
),
hands as materialized (
    select game, deal, seat, sum(n) as held, sum(n * points) as points, coalesce(sum(n * weight) filter (quarter = 0), 0)::bigint as q0,
        coalesce(sum(n * weight) filter (quarter = 1), 0)::bigint as q1, coalesce(sum(n * weight) filter (quarter = 2), 0)::bigint as q2,
        coalesce(sum(n * weight) filter (quarter = 3), 0)::bigint as q3, coalesce(sum(n) filter (quarter = 4), 0) as q4
    from flows join weights using (card) group by all
),
-- partners of a deal who found each other in it have their cards in the lower seat's row
homes as (select game, deal, side, least(side, coalesce(partner, side)) as home from sides),
sides_hands as (
    select game, deal, home as side, sum(held) as held, sum(points) as points
    from (select game, deal, side_of(seat, (select variant from cells)) as side, held, points from hands)
    join homes using (game, deal, side) group by all
)
select 'played without holding it' as what, game, deal, seat as place, min(card) as card, null as found, null as allowed
from hands, weights
where (packed_above(q0, 7) or packed_above(q1, 7) or packed_above(q2, 7) or packed_above(q3, 7) or least(q0, q1, q2, q3, q4) < 0)
    and (quarter < 4 and packed_count([q0, q1, q2, q3][quarter + 1], weights.place) > 7 or quarter = 4 and q4 < 0)
group by game, deal, seat
union all
select 'cards left', game, deal, side, null, coalesce(held, 0), held_cards
from sides left join sides_hands using (game, deal, side) where coalesce(held, 0) <> held_cards
union all
select 'points left', game, deal, side, null, -coalesce(points, 0), held_points
from sides left join sides_hands using (game, deal, side), cells
where -coalesce(points, 0) <> held_points and cardinality(held_penalty) = 0 and last_red3 <> 'stays_in_hand'
    and special_points = 0 and coalesce(partner > side, true)
