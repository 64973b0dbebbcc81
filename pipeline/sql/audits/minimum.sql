/*
title = "Minimum respected"
rule = "The minimum follows from the score before the deal (or the deal's number) and no side opens below it, but by going out concealed from hand where the rules waive it"
*/
with asked as (
    select sides.*, deals.ending, out_seat, initial_waivers,
        list_last(list_filter(initial_minimums, lambda row, place: place = 1
            or row.from <= (case when initial_basis = 'deal' then deal else score_before end))).minimum as rule
    from sides join deals using (game, deal), cells
)
select game, deal, side, score_before, minimum, rule, open_points, opening, ending
from asked
where minimum <> rule or (open_points < minimum and not coalesce(ending = 'concealed' and open_seat = out_seat
    and opening = 'hand' and list_contains(initial_waivers, 'concealed_out'), false))
