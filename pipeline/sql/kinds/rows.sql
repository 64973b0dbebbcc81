-- Sums of a question's rows for each value of its keys and game; filled in by pipeline/kinds/rows.py.
select {keys}, {columns}
from {table} {plan}
where picked(variant, $variant) and picked(lineup, $lineup) and ({rows}) {where}
group by all
