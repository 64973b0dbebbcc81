-- A roll-up of rows by plain SQL: one row a block and key; filled in by pipeline/rollup_sql.py.
select (game - 1) % {blocks} as block, {keys}{counts}
from {table}
group by all
