-- Numerators k0, k1 … and denominators n0, n1 … of metrics of games, a row a game, and whether the rules decide them (r0 …).
select cell, game, {columns}
from games join (select variant, lineup, cell{rules} from cells) as plan using (variant, lineup)
where picked(variant, $variant) and picked(lineup, $lineup)
