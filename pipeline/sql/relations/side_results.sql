-- Sides of deals with what they won of the deal, a tied one in parts, and how far ahead they were: the deal's score,
-- times the other sides, less theirs together; with its square. Whole numbers, so that sums are exact.
select *, ahead * ahead as squared
from (
    select sides.*, case when score = list_max(scores) then 1 / len(list_filter(scores, lambda s: s = list_max(scores)))
            else 0 end as won,
        (len(scores) * score - list_sum(scores))::bigint as ahead
    from sides
    join (select variant, lineup, game, deal, list(score) as scores from sides group by all)
        using (variant, lineup, game, deal)
)
