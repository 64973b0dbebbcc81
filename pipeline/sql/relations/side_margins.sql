-- Sides of deals with their margin: the deal's score less the mean of the others'.
select sides.*, score - (total - score) / (side_count - 1) as margin
from sides
join (select variant, lineup, game, deal, sum(score) as total, count(*) as side_count from sides group by all)
    using (variant, lineup, game, deal)
