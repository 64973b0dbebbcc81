-- Side of a seat, strategy of a seat and of a side, under a variant and line-up of this run.
create or replace macro side_of(seat, variant) as {side_of_seat};
create or replace macro strategy_of(seat, variant, lineup) as {strategy_of_seat};
create or replace macro side_strategy_of(side, variant, lineup) as {strategy_of_side};
-- Seats that play a deal: of five, one sits out.
create or replace macro active_seats(variant) as {active_seats};
