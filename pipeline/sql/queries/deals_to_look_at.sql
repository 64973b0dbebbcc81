/*
title = "Deals to look at"
answers = "Which deals are the most unusual: the longest, the shortest, with the biggest take, won concealed or by a special hand, ended by the stock or the cap, with the biggest swing, the highest score, the most canastas, or without any?"
grain = ["variant", "lineup", "game", "deal"]
empty = "No such deal in what was chosen."

[parameters.what]
type = "text"
default = "longest"
choices = ["longest", "shortest", "biggest_take", "concealed", "special", "stock", "cap", "biggest_swing", "highest_score", "most_canastas", "no_canasta"]
description = "what makes a deal unusual"

[parameters.most]
type = "int"
default = 20
least = 0
description = "at most so many rows"

[columns]
variant = { unit = "", description = "slug of the rules" }
lineup = { unit = "", description = "slug of the line-up" }
game = { unit = "number", description = "game" }
deal = { unit = "number", description = "deal of the game" }
what = { unit = "", description = "what makes it unusual" }
value = { unit = "", description = "how much: turns, cards of the take, points of the swing or score, canastas of all sides; else the turns" }
ending = { unit = "", description = "how the deal ended" }
turns = { unit = "turns", description = "turns of the deal" }
command = { unit = "", description = "what shows the deal, RUN being the run's folder" }
*/
with of_deals as (
    select variant, lineup, game, deal, case when $what = 'shortest' then -turns
        when $what = 'biggest_take' then biggest_take else turns end as value
    from deals
    where $what in ('longest', 'shortest', 'biggest_take', 'concealed', 'special', 'stock', 'cap')
        and picked(variant, $variant) and picked(lineup, $lineup)
        and case $what when 'biggest_take' then biggest_take is not null when 'stock' then ending in ('stock', 'red_three')
            when 'concealed' then ending = 'concealed' when 'special' then ending = 'special'
            when 'cap' then ending = 'cap' else true end
    order by value desc, game, deal, variant, lineup limit $most
),
of_sides as (
    select variant, lineup, game, deal, case $what
        when 'biggest_swing' then max(score) - (sum(score) - max(score)) / (count(*) - 1)
        when 'highest_score' then max(score)
        when 'no_canasta' then -sum(natural_canastas + mixed_canastas + wild_canastas + sequence_canastas + royal_canastas)
        else sum(natural_canastas + mixed_canastas + wild_canastas + sequence_canastas + royal_canastas) end as value
    from sides
    where $what in ('biggest_swing', 'highest_score', 'most_canastas', 'no_canasta')
        and picked(variant, $variant) and picked(lineup, $lineup)
    group by all
    having $what <> 'no_canasta' or value = 0
    order by value desc, game, deal, variant, lineup limit $most
)
select variant, lineup, game, deal, $what as what,
    if($what in ('shortest', 'no_canasta'), -value, value)::bigint as value, ending, turns,
    replay_command(variant, lineup, game, deal) as command
from (from of_deals union all from of_sides) as listed
join (select variant, lineup, game, deal, ending, turns from deals) using (variant, lineup, game, deal)
join (select variant, lineup, cell from cells) using (variant, lineup)
order by listed.value desc, game, deal, cell
