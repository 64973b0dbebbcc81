/*
title = "Files are what was committed"
rule = "Every committed file is there with the rows and bytes of its commit, and its games are just those of its shard"
*/
with there as (
    select file_name as path, num_rows as rows, file_size_bytes as bytes from parquet_file_metadata(getvariable('paths'))
),
held as (
    select filename as path, min(game) as first_game, max(game) as last_game
    from read_parquet(getvariable('paths'), filename = true, union_by_name = true, hive_partitioning = false) group by filename
)
select path, committed.rows, there.rows as found_rows, committed.bytes, there.bytes as found_bytes,
    committed.first_game, held.first_game as found_first_game, committed.last_game, held.last_game as found_last_game
from committed left join there using (path) left join held using (path)
where committed.rows is distinct from there.rows or committed.bytes is distinct from there.bytes
    or (committed.rows > 0 and (committed.first_game is distinct from held.first_game
        or committed.last_game is distinct from held.last_game))
