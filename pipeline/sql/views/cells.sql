create or replace view cells as
from (values {rows}) as rows({names});
