create or replace view {table} as
select {columns}
from (select {plain} from {held});
