blocks as (
{blocks}
), every_block as (
    select {keys}block, coalesce(n, 0) as n, unnest([{words}]) as one
    from (select distinct {keys}other.block from blocks cross join (select unnest(range(64)) as block) as other)
    left join blocks using ({using})
), left_out as (
    select {keys}block, one.place, one.word, one.k, n, n <> 0 or one.k <> 0 as filled,
        (sum(one.k) over whole - one.k) / nullif(sum(n) over whole - n, 0) as rest
    from every_block
    window whole as (partition by {keys}one.place)
), counted as (
    select *, {errors} as errors, units >= {least} as enough
    from (
        select {keys}place, word, sum(k) as k, sum(n) as n, count(*) filter (filled) as units,
            ratio_of_blocks(k, n, rest, filled, {games}) as ratio
        from left_out group by all
    )
)
