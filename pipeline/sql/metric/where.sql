-- The syntax tree of a condition alone, as JSON; filled in by pipeline/where.py.
select json_serialize_sql('select 1 where' || chr(10) || $text)
