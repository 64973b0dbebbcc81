-- Line-ups as given, by variant: how many seatings were played of how many there are, and what the sides play.
select variant, given_lineup, min(cell) as cell, list(lineup order by cell) as lineups, count(*) as seatings,
    min_by(side_strategies, cell) as strategies, len(list_distinct(list_transform(range(len(strategies)),
        lambda i: strategies[i + 1:] || strategies[:i]))) as rotations
from cells
where picked(variant, $variant)
group by variant, given_lineup
having $lineup is null or list_has_any(lineups, $lineup)
order by cell
