/*
title = "Going out with its canastas"
rule = "A side goes out, concealed or not, only with as many canastas as the rules ask for, those of its last turn included, and as many of each type; wild ones count unless the rules exclude them"
*/
with had as (
    -- partners of a deal have their canastas in the lower seat's row
    select game, deal, side, sides.partner, natural_canastas as naturals, mixed_canastas as mixeds, wild_canastas as wilds,
        sequence_canastas as sequence_ones, royal_canastas as royals, natural_7 + mixed_7 as sevens
    from sides
),
outs as (
    select deals.game, deals.deal, out_seat, ending, had.naturals, had.mixeds, had.wilds, had.sequence_ones, had.royals, had.sevens
    from (select * from deals where ending in ('out', 'concealed')) as deals
    join had as own on own.game = deals.game and own.deal = deals.deal and own.side = out_side
    join had on had.game = deals.game and had.deal = deals.deal and had.side = least(out_side, coalesce(own.partner, out_side))
)
select outs.game, outs.deal, out_seat, ending, naturals, mixeds, wilds, sequence_ones, royals, canastas_out
from outs, cells
where naturals + mixeds + sequence_ones + royals + if(list_contains(out_conditions, 'wild_canasta_excluded'), 0, wilds) < canastas_out
    or naturals < coalesce(canastas_out_types['natural'], 0) or mixeds < coalesce(canastas_out_types['mixed'], 0)
    or wilds < coalesce(canastas_out_types['wild'], 0) or sequence_ones < coalesce(canastas_out_types['sequence'], 0)
    or sevens < coalesce(canastas_out_types['7'], 0)
