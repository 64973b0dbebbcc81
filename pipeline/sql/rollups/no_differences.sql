-- Of shards without roll-ups.
create or replace temp view rollup_differences as
select null::varchar as rollup, null::integer as block, null::varchar as key, null::varchar as columns where false;
