-- The syntax tree of an expression as JSON.
select json_serialize_sql('select (' || chr(10) || $text || chr(10) || ')')
