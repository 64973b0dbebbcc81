/*
title = "Going out with its canastas"
rule = "A side goes out, concealed or not, only with as many canastas as the rules ask for, those of its last turn included"
*/
select game, deal, out_seat, ending, natural_canastas, mixed_canastas, canastas_out
from deals join sides using (game, deal), cells
where ending in ('out', 'concealed') and side = out_side and natural_canastas + mixed_canastas < canastas_out
