-- What metrics count in a game (c0, c1 …), a row a game, and which metrics the rules decide; filled in by pipeline/differences.py.
select cell, game, {columns}
from games join (select variant, lineup, cell{rules} from cells) as plan using (variant, lineup)
where picked(variant, $variant) and picked(lineup, $lineup)
