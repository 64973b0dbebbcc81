create or replace temp view rollup_differences as
{questions};
