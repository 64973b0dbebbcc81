create view unmade_rollups as
select * from (values
{rows}
) as made(name, statement)
where name <> '';
