units as (
{units}
), counted as (
    select {keys}one.place, one.word, one.sums.k, one.sums.n, ratio_of(one.sums) as ratio, one.sums.games as units,
        {z} as errors, one.sums.games >= {least} as enough
    from (select {keys}unnest(words) as one from (select {keys}[{words}] as words from units group by all))
)
