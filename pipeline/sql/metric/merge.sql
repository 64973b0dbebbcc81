-- A connection's own copy of a roll-up, its shards added up; filled in by pipeline/measure_rollups.py.
create schema if not exists merged;
create table if not exists merged.{name} as
select {keys}, {sums}
from rollup_{name}
group by {keys};
