/*
title = "Games played"
answers = "What is in the run? Games committed, of each variant under each line-up as given in the plan with all its rotations."
grain = ["variant", "lineup"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "the line-up as given in the plan, all its seatings together" }
cells = { unit = "cells", description = "rotations of the line-up over the sides that were played" }
games = { unit = "games", description = "games of all these" }
*/
select variant, given_lineup as lineup, count(*) as cells, sum(games)::bigint as games
from cells
where games > 0 and picked(variant, $variant)
    and given_lineup in (select given_lineup from cells where picked(lineup, $lineup))
group by variant, given_lineup
order by min(cell)
