/*
title = "Games add up their deals"
rule = "The totals of a game are the sums over its deals, sides and turns, side by side too; freezes by cards dealt are those of `piles` only where nothing but a take ends a freeze"
*/
with of_deals as (
    select game, count(*) as deals, sum(turns) as turns, count(*) filter (ending in ('out', 'concealed', 'special')) as out_deals
    from deals group by game
),
of_sides as (
    select game, sum(takes) as takes, sum(legal_takes) as legal_takes, sum(taken_cards) as taken_cards, sum(freezes) as freezes,
        sum(melded_cards) as melded_cards
    from sides group by game
),
of_turns as (select game, count(*) filter (frozen_by is not null) as frozen_turns from turns group by game),
of_piles as (
    select game, count(distinct deal) filter (frozen_turn is not null) as frozen_deals, count(*) filter (frozen_turn = 0) as by_deal
    from piles group by game
),
of_side as (
    select game, side, sum(takes) as takes, sum(natural_canastas) as naturals, sum(mixed_canastas) as mixed,
        sum(wild_canastas) as wilds, sum(sequence_canastas) as sequences, sum(score) as score
    from sides group by game, side
),
compared as (
    select unnest(['deals', 'turns', 'out_deals', 'takes', 'legal_takes', 'taken_cards', 'melded_cards', 'freezes', 'frozen_turns',
            'frozen_deals']) as what, game, unnest([games.deals, games.turns, games.out_deals, games.takes, games.legal_takes,
            games.taken_cards, games.melded_cards, games.freezes, games.frozen_turns, games.frozen_deals]) as found,
        unnest([of_deals.deals, of_deals.turns, of_deals.out_deals, of_sides.takes, of_sides.legal_takes, of_sides.taken_cards,
            of_sides.melded_cards, of_sides.freezes + by_deal, of_turns.frozen_turns,
            case when (select pile_frozen from cells) = 'always' then of_deals.deals else of_piles.frozen_deals end]) as expected
    from games left join of_deals using (game) left join of_sides using (game) left join of_turns using (game)
    left join of_piles using (game)
)
select what, game, null as side, found, expected from compared, cells
where found is distinct from expected and (what <> 'freezes' or freeze_ends = 'taken')
union all
select unnest(['side_takes', 'side_natural_canastas', 'side_mixed_canastas', 'side_wild_canastas', 'side_sequence_canastas',
        'scores']), game, side,
    unnest([side_takes[side], side_natural_canastas[side], side_mixed_canastas[side], side_wild_canastas[side],
        side_sequence_canastas[side], scores[side]]),
    unnest([of_side.takes, naturals, mixed, wilds, sequences, score])
from games join of_side using (game)
where side_takes[side] is distinct from of_side.takes or side_natural_canastas[side] is distinct from naturals
    or side_mixed_canastas[side] is distinct from mixed or side_wild_canastas[side] is distinct from wilds
    or side_sequence_canastas[side] is distinct from sequences or scores[side] is distinct from score
