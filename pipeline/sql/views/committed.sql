create or replace view committed as
select path, rows, bytes, first_game, last_game from (values {rows}) as files(path, rows, bytes, first_game, last_game);
set variable paths = (select list(path) from committed);
