-- Games of each value of a question's groups; filled in by pipeline/kinds/rows.py.
select max(games) as games, {keys}
from cells
where picked(variant, $variant) and picked(lineup, $lineup)
group by {keys}
