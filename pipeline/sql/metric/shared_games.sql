    select {keys}sums.place, sums
    from (
        select {keys}unnest(words) as sums
        from (select {keys}[{sums}] as words from units as one join units as two on {matched} and two.game = one.game group by all) as one
    ) as one
