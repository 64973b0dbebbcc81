/*
title = "Freeze rate"
answers = "How often is the pile frozen for everybody: at the start of a turn (the freeze rate), at any time of a deal, and how many freezes and discards that freeze are there?"
grain = ["variant", "lineup"]

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
games = { unit = "games", description = "games" }
frozen_turn_share = { unit = "%", description = "turns that begin with the pile frozen for everybody ÷ turns", digits = 1 }
frozen_turn_share_low = { unit = "%", description = "lower end of the interval", digits = 1 }
frozen_turn_share_high = { unit = "%", description = "upper end of the interval", digits = 1 }
frozen_deal_share = { unit = "%", description = "deals in which the pile was frozen for everybody at any time ÷ deals", digits = 1 }
frozen_deal_share_low = { unit = "%", description = "lower end of the interval", digits = 1 }
frozen_deal_share_high = { unit = "%", description = "upper end of the interval", digits = 1 }
freezes_per_deal = { unit = "freezes", description = "times the pile became frozen for everybody ÷ deals", digits = 2 }
freezes_per_deal_low = { unit = "freezes", description = "lower end of the interval", digits = 2 }
freezes_per_deal_high = { unit = "freezes", description = "upper end of the interval", digits = 2 }
by_rule = { unit = "", description = "the rules keep the pile frozen always: the shares are 1 by rule and nothing freezes it" }
few = { unit = "", description = "too few games to lean on" }
*/
with per_cell as (
    select variant, lineup, count(*) as games,
        share_ci(frozen_turns, turns, level := $level) as in_turns,
        share_ci(frozen_deals, deals, level := $level) as in_deals,
        ratio_ci(freezes, deals, level := $level) as freezes
    from games
    where picked(variant, $variant) and picked(lineup, $lineup)
    group by variant, lineup
)
select variant, lineup, per_cell.games,
    in_turns.value as frozen_turn_share, in_turns.low as frozen_turn_share_low, in_turns.high as frozen_turn_share_high,
    in_deals.value as frozen_deal_share, in_deals.low as frozen_deal_share_low, in_deals.high as frozen_deal_share_high,
    freezes.value as freezes_per_deal, freezes.low as freezes_per_deal_low, freezes.high as freezes_per_deal_high,
    pile_frozen = 'always' as by_rule, few(per_cell.games, in_turns) as few
from per_cell join cells using (variant, lineup) order by cell
