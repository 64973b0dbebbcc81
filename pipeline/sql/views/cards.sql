create or replace view cards as
select card, rank, suit, colour, kind, points, place
from (values {rows}) as rows(card, rank, suit, colour, kind, points, place);
