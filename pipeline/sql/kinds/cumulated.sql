with counted as (
{counted}
), units as (
    select *, sum(n) over (partition by {keys}place, game) as whole,
        sum(n) over (partition by {keys}place, game order by "at" nulls last) as up_to
    from counted where {present}
), summed as (
    select {keys}place, word, "at", sum(n) as n, sum(n * n) as kk, sum(n * whole) as kn,
        sum(up_to ** 2 - (up_to - n) ** 2) as cc, sum(whole ** 2) filter (up_to = whole) as nn,
        count(*) filter (up_to = whole) as units
    from units group by all
), told as (
    select {keys}place, word, "at", n, kk, kn, sum(n) over so_far as up_to, sum(cc) over so_far as cc,
        sum(kn) over so_far as cn, sum(n) over whole as total, sum(nn) over whole as nn, sum(units) over whole as units
    from summed
    window whole as (partition by {keys}place), so_far as (partition by {keys}place order by "at" nulls last)
), plan as (
    select {groups}min(cell) as cell, max(games) filter (
        picked(variant, $variant) and picked(lineup, $lineup)) as played
    from cells group by all
), ratios as (
    select *, {games} as games,
        ratio_of({{'k': n, 'n': total, 'kk': kk, 'kn': kn, 'nn': nn, 'games': units}}) as shares,
        ratio_of({{'k': up_to, 'n': total, 'kk': cc, 'kn': cn, 'nn': nn, 'games': units}}) as cums
    from told {join}
)
