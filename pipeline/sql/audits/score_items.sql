/*
title = "Items add up to the score"
rule = "A side's items add up to its deal score and that to its total; canastas by rank add up to canastas by type, and these make the bonus (of wild cards or black threes one of its bonuses; no more than all where a side counts fewer canastas); a special hand counts alone; partners of a deal have the same points but for threes"
*/
with rows as (
    select sides.*, natural_points + mixed_points + wild_points + sequence_points + royal_points + set_points + card_points
            + held_points + held_penalty_points + open_meld_points + red_three_points + out_points + aside_points
            + one_turn_points + special_points as items,
        -- who went out with a special hand counts nothing else; partners' canastas stand in one of their rows
        special_points <> 0 as special, coalesce(partner < side, false) as elsewhere,
        [natural_4, natural_5, natural_6, natural_7, natural_8, natural_9, natural_T, natural_J, natural_Q, natural_K, natural_A] as naturals,
        [mixed_4, mixed_5, mixed_6, mixed_7, mixed_8, mixed_9, mixed_T, mixed_J, mixed_Q, mixed_K, mixed_A] as mixeds
    from sides
),
bonuses as (
    select list_transform(['4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'], lambda rank: coalesce(
            canasta_bonus['rank:' || rank], canasta_bonus['rank:' || rank || ':any'], canasta_bonus['natural'])) as naturals,
        list_transform(['4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'], lambda rank: coalesce(
            canasta_bonus['rank:' || rank || ':any'], canasta_bonus['mixed'])) as mixeds,
        coalesce(canasta_bonus['sequence'], 0) as sequences,
        least(canasta_bonus['wild'], canasta_bonus['wild_4_jokers'], canasta_bonus['wild_all_twos']) as wild_least,
        greatest(canasta_bonus['wild'], canasta_bonus['wild_4_jokers'], canasta_bonus['wild_all_twos']) as wild_most,
        least(coalesce(canasta_bonus['royal'], canasta_bonus['natural']), coalesce(canasta_bonus['royal'], canasta_bonus['mixed']))
            as royal_least,
        greatest(coalesce(canasta_bonus['royal'], canasta_bonus['natural']), coalesce(canasta_bonus['royal'], canasta_bonus['mixed']))
            as royal_most,
        counted_canastas <> 'all' as capped, list_contains(out_conditions, 'wild_canasta_excluded') as wild_excluded,
        melds_negative_without_canasta as negative
    from cells
),
due as (
    select rows.*, negative, capped, list_dot_product(rows.naturals::double[], bonuses.naturals::double[])::bigint as natural_due,
        list_dot_product(rows.mixeds::double[], bonuses.mixeds::double[])::bigint as mixed_due, sequence_canastas * sequences as sequence_due,
        case when wild_excluded or capped then 0 else coalesce(wild_canastas * wild_least, 0) end as wild_low,
        coalesce(wild_canastas * wild_most, 0) as wild_high, if(capped, 0, royal_canastas * royal_least) as royal_low,
        royal_canastas * royal_most as royal_high
    from rows, bonuses
)
select game, deal, side, score, items, score_before, score_after, natural_canastas, natural_points, natural_due, mixed_canastas,
    mixed_points, mixed_due, wild_canastas, wild_points, sequence_canastas, sequence_points, special_points
from due
where score <> items or score_before + score <> score_after
    or natural_canastas <> list_sum(naturals) or mixed_canastas <> list_sum(mixeds)
    or special and score <> special_points
    or not special and not elsewhere and (
        natural_points > natural_due or mixed_points > mixed_due or sequence_points > sequence_due
        or wild_points not between wild_low and wild_high or royal_points not between royal_low and royal_high
        or not capped and (natural_points <> natural_due or mixed_points <> mixed_due or sequence_points <> sequence_due))
    or (open_turn is null) <> (open_seat is null) or (open_turn is null) <> (open_points is null)
    or (open_turn is null) <> (opening is null) or held_points > 0 or held_penalty_points > 0 or open_meld_points > 0
    or card_points < 0 and not negative
union all
select one.game, one.deal, one.side, one.score - one.red_three_points, other.score - other.red_three_points, null, null, null,
    one.natural_points, other.natural_points, null, one.mixed_points, other.mixed_points, null, null, null, null, null
from sides as one join sides as other on one.game = other.game and one.deal = other.deal and one.partner = other.side
where one.partner is not null and (one.natural_points <> other.natural_points or one.mixed_points <> other.mixed_points
    or one.card_points <> other.card_points or one.held_points <> other.held_points or one.out_points <> other.out_points)
