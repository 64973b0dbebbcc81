create or replace temp view {table} as {question};
