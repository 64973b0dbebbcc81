-- A table of one cell in memory, as the views of a run show it: integers widened, side and strategy beside a seat.
create or replace view {table} as select {columns} from (select {variant} as variant, {lineup} as lineup, * from {rows});
