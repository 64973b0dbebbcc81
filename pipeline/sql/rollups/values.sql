-- What expressions are on rows, one row after the other; filled in by pipeline/rollup_sql.py.
select {expressions} from {table}
