    select *
    from (
{denominator}
    ) left join (
{numerators}
    ) using ({keys})
