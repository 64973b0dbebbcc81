-- Rows of a roll-up by a whole number of theirs, for each value of a question's keys and block of games.
select {keys}, block as game, {at} as at, sum("rows")::bigint as n
from {table} {plan}
where picked(variant, $variant) and picked(lineup, $lineup) and ({rows})
group by all
