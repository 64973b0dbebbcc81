/*
title = "Items add up to the score"
rule = "A side's items add up to its deal score and that to its total; canastas by rank add up to canastas by type, and these make the bonus"
*/
select game, deal, side, score, natural_points + mixed_points + card_points + held_points + red_three_points + out_points as items,
    score_before, score_after, natural_canastas, natural_points, mixed_canastas, mixed_points
from sides, (select canasta_bonus['natural'] as natural_bonus, canasta_bonus['mixed'] as mixed_bonus from cells)
where score <> natural_points + mixed_points + card_points + held_points + red_three_points + out_points
    or score_before + score <> score_after
    or natural_canastas <> natural_4 + natural_5 + natural_6 + natural_7 + natural_8 + natural_9 + natural_T + natural_J
        + natural_Q + natural_K + natural_A
    or mixed_canastas <> mixed_4 + mixed_5 + mixed_6 + mixed_7 + mixed_8 + mixed_9 + mixed_T + mixed_J + mixed_Q + mixed_K + mixed_A
    or natural_points <> natural_canastas * natural_bonus or mixed_points <> mixed_canastas * mixed_bonus
    or (open_turn is null) <> (open_seat is null) or (open_turn is null) <> (open_points is null)
    or (open_turn is null) <> (opening is null) or held_points > 0 or card_points < 0
