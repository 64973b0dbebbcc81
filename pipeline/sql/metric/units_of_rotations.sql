    select {keys}, {sums}, avg(capped) as capped
    from (
{played}
    ) join (select variant, lineup, given_lineup from cells) using (variant, lineup)
    group by {keys}
