create or replace view {table} as
select {columns}
from read_parquet([{files}], hive_partitioning = true, hive_types = {{'variant': varchar, 'lineup': varchar}});
