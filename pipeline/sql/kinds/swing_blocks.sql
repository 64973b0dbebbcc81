-- Margins of side 1 by block of games, off the roll-up of results: rows, sum and sum of squares.
select {keys}, block as game, sum("rows")::double as n, sum(ahead / others) as x, sum(squared / others ** 2) as xx
from {table} join (select variant, lineup, given_lineup, len(side_strategies) - 1 as others from cells) using (variant, lineup)
where side = 1 and picked(variant, $variant) and picked(lineup, $lineup)
group by all
