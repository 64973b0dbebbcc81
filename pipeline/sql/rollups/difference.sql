-- Keys of one roll-up under which it has other counts than its table; filled in by pipeline/rollup_sql.py.
select '{name}' as rollup, block, {key} as key,
    list_filter([{columns}], lambda one: abs(one.more) > 1e-6 * greatest(1, one.size)) as columns
from (
    select {keys}, {sums}
    from (
        select {keys}, {kept} from rollup_{name}
        union all
        select {keys}, {counted} from ({question})
    )
    group by {keys}
)
where len(columns) > 0
