-- What metrics count in a block of games (c0, c1 …), a row a cell and block, and which metrics the rules decide; filled in by pipeline/differences.py.
select cell, block, {columns}
from {table} join (select variant, lineup, cell{rules} from cells) as plan using (variant, lineup)
where picked(variant, $variant) and picked(lineup, $lineup)
group by all
