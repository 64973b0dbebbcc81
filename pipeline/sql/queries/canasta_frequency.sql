/*
title = "Canasta frequency"
answers = "How many canastas does a side make in a deal, of which type and which rank, and what share of all is that?"
grain = ["variant", "lineup", "split", "canasta"]

[parameters.split]
type = "text"
default = "both"
choices = ["both", "type", "rank"]
description = "split by type (natural, mixed, wild, sequence, royal: of black threes), by rank (4 to A), or both"

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
split = { unit = "", description = "what the row splits by: all, type or rank" }
canasta = { unit = "", description = "type or rank of the canastas" }
games = { unit = "games", description = "games" }
side_deals = { unit = "side-deals", description = "sides of deals" }
canastas = { unit = "canastas", description = "canastas at the end of a deal, each counted once" }
per_side_deal = { unit = "canastas", description = "canastas ÷ sides of deals", digits = 3 }
per_side_deal_low = { unit = "canastas", description = "lower end of the interval", digits = 3 }
per_side_deal_high = { unit = "canastas", description = "upper end of the interval", digits = 3 }
share = { unit = "%", description = "canastas ÷ all canastas", digits = 1 }
share_low = { unit = "%", description = "lower end of the interval", digits = 1 }
share_high = { unit = "%", description = "upper end of the interval", digits = 1 }
few = { unit = "", description = "too few games to lean on" }
*/
with per_game as (
    select variant, lineup, game, count(*)::integer as n, sum(natural_canastas)::integer as "natural",
        sum(mixed_canastas)::integer as mixed, sum(wild_canastas)::integer as wild,
        sum(sequence_canastas)::integer as "sequence", sum(royal_canastas)::integer as royal,
        sum(natural_4 + mixed_4)::integer as "4",
        sum(natural_5 + mixed_5)::integer as "5", sum(natural_6 + mixed_6)::integer as "6",
        sum(natural_7 + mixed_7)::integer as "7", sum(natural_8 + mixed_8)::integer as "8",
        sum(natural_9 + mixed_9)::integer as "9", sum(natural_T + mixed_T)::integer as "T",
        sum(natural_J + mixed_J)::integer as "J", sum(natural_Q + mixed_Q)::integer as "Q",
        sum(natural_K + mixed_K)::integer as "K", sum(natural_A + mixed_A)::integer as "A"
    from sides
    where picked(variant, $variant) and picked(lineup, $lineup)
    group by variant, lineup, game
),
per_cell as (
    select variant, lineup, count(*) as games, {
        'of_deals': ratio_sums(columns([
            'all', 'natural', 'mixed', 'wild', 'sequence', 'royal', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A']), n),
        'of_all': ratio_sums(columns([
            'all', 'natural', 'mixed', 'wild', 'sequence', 'royal', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A']), "all")}
    from (select *, "natural" + mixed + wild + "sequence" + royal as "all" from per_game)
    group by variant, lineup
),
per_kind as (
    select *, ratio_interval(sums.of_deals, $level) as rate, share_interval(sums.of_all, $level) as part,
        list_position([
            'all', 'natural', 'mixed', 'wild', 'sequence', 'royal', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'], canasta) as place,
        case when place = 1 then 'all' when place <= 6 then 'type' else 'rank' end as split
    from per_cell unpivot (sums for canasta in (
        "all", "natural", mixed, wild, "sequence", royal, "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"))
)
select variant, lineup, split, canasta, per_kind.games, sums.of_deals.n::bigint as side_deals,
    sums.of_deals.k::bigint as canastas,
    rate.value as per_side_deal, rate.low as per_side_deal_low, rate.high as per_side_deal_high,
    part.value as share, case when place > 1 then part.low end as share_low,
    case when place > 1 then part.high end as share_high, few(per_kind.games, rate) as few
from per_kind join cells using (variant, lineup)
where (split in ('all', $split) or $split = 'both') and (sums.of_deals.k > 0 or canasta not in ('wild', 'sequence', 'royal'))
order by cell, place
