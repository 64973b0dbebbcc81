-- Rows of one cell in memory, as the views of a run show them: integers widened, side and strategy beside a seat.
select {columns} from (select {variant} as variant, {lineup} as lineup, * from {rows})
