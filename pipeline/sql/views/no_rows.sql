create or replace view {table} as
select {columns}
from (select null::varchar as variant, null::varchar as lineup, {nulls}) where false;
