/*
title = "Piles agree with turns"
rule = "Lives of the pile follow one another, hold the upcards and the discards thrown meanwhile, and were frozen, taken and left as turns and deals say; without an upcard the first begins with a discard. Where a take may leave a part of a pile, the next one holds those cards as well"
*/
with lives as (select game, deal, pile, first_turn, frozen_turn, unnest(range(first_turn, last_turn + (ending = 'deal')::integer)) as turn from piles),
lain as (
    select game, deal, lives.pile, card, turn,
        case when pile_frozen = 'always' then under > 0 when freeze_ends = 'taken' then turn > frozen_turn else met_frozen end as frozen
    from lives join (
        select game, deal, turn, discard as card, frozen_by is not null and took is null as met_frozen,
            case when took is null then turns.pile when pile_rest = 'stays' then turns.pile - took else 0 end as under
        from turns, cells
    ) using (game, deal, turn), cells
    where card is not null
    union all
    select game, deal, 1, unnest(upcards), 0, false from deals
),
summed as (
    select game, deal, pile, count(*) as cards, sum(points) as points, count(*) filter (kind = 'black3' and turn > 0) as black_threes,
        count(*) filter (kind in ('2', 'JK') and frozen) as wilds
    from lain join cards using (card) group by all
),
-- Cards that takes before left lying, where a part of the pile may be taken: how high each lay, what takes left.
heights as (
    select game, deal, turn, discard as card, 1 + pile - coalesce(took, 0) as height
    from turns, cells where discard is not null and pile_portion <> 'all' and pile_rest = 'stays'
    union all
    select game, deal, 0, unnest(upcards), unnest(range(1, len(upcards) + 1)) from deals, cells where pile_portion <> 'all' and pile_rest = 'stays'
),
parts as (select game, deal, turn, pile - took as rest from turns, cells where took is not null and pile_portion <> 'all' and pile_rest = 'stays'),
ends as (
    select heights.game, heights.deal, heights.turn, height, any_value(card) as card, min(parts.turn) as gone
    from heights left join parts on heights.game = parts.game and heights.deal = parts.deal and parts.turn > heights.turn and rest < height group by all
),
carried as (
    select piles.game, piles.deal, pile, count(*) as cards, sum(points) as points
    from piles join ends on piles.game = ends.game and piles.deal = ends.deal and turn < first_turn and coalesce(gone > first_turn, true)
    join cards using (card) group by all
),
contents as (
    select game, deal, pile, coalesce(summed.cards, 0) + coalesce(carried.cards, 0) as cards,
        coalesce(summed.points, 0) + coalesce(carried.points, 0) as points, coalesce(black_threes, 0) as black_threes, coalesce(wilds, 0) as wilds
    from summed full join carried using (game, deal, pile)
),
frozen as (select game, deal, count(*) as turns from turns where frozen_by is not null group by all)
select 'what lies in it' as what, game, deal, pile, piles.cards as found, contents.cards as expected
from piles full join contents using (game, deal, pile)
where piles.cards is distinct from contents.cards or card_points is distinct from points
    or piles.black_threes is distinct from contents.black_threes or wilds_on_frozen is distinct from wilds
union all
select 'lives follow one another', game, deal, lives.pile, first_turn, before
from (select *, lag(last_turn) over (partition by game, deal order by pile) as before,
    lag(ending) over (partition by game, deal order by pile) as ended from piles) as lives
join deals using (game, deal)
where (first_turn <> before or before is null and first_turn <> 0 and len(upcards) > 0) or lives.ended <> 'take' or last_turn < first_turn
union all
select 'take', game, deal, piles.pile, piles.cards, took
from (select * from piles where ending = 'take') as piles
full join (select game, deal, turn as last_turn, seat, took, how as way from turns where took is not null) using (game, deal, last_turn), cells
where (case pile_portion when 'all' then cards when 'top7' then least(cards, 7) else least(cards, took) end) is distinct from took
    or taken_seat is distinct from seat or how is distinct from way
union all
select 'pile left', game, deal, null, deals.pile, cards
from deals left join (select game, deal, cards from piles where ending = 'deal') using (game, deal)
where deals.pile <> coalesce(cards, 0)
union all
select 'who froze it', game, deal, piles.pile, frozen_seat, seat
from (select * from piles where frozen_turn > 0) as piles
left join (select game, deal, turn as frozen_turn, seat, discard from turns) using (game, deal, frozen_turn)
left join cards on card = discard
where frozen_seat is distinct from seat or (piles.frozen_by = 'wild') is distinct from (kind in ('2', 'JK'))
union all
select 'turns that met it frozen', game, deal, null, coalesce(turns, 0), coalesce(met, 0)
from (select game, deal, sum(last_turn - frozen_turn) as met from {freezes} group by all)
full join frozen using (game, deal), cells
where pile_frozen = 'dynamic' and coalesce(turns, 0) <> coalesce(met, 0)
