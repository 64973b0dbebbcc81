-- The columns that a question about discards on large piles reads, added up: what `canasta bench` holds it against.
select sum(game), sum(next_took), count(variant), count(lineup) from turns where pile >= 8
