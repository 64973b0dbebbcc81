/*
title = "Ledger and turns agree"
rule = "What `turns` says a seat took, laid and discarded, and the stock it left, is what the moves of that turn did, and its seat made them; where there are reserves, whose red threes are replaced between turns, the stock is compared over the whole deal"
*/
-- Each side of a deal is first summed up in three numbers (whole, so exact in any order); only where they differ are its turns compared.
with met as (
    select game, deal, turn, seat, took, laid, laid_points, discard, stock, hash(turn, seat) as place,
        case when game = lead(game) over () and deal = lead(deal) over () then lead(stock) over () end as next_stock
    from turns
),
left_over as (select met.*, coalesce(next_stock, deals.stock) as stock_left from met left join deals using (game, deal)),
ledger as (
    select game, deal, sum(case when action in ('meld', 'take') then (hash(turn, seat) >> 40) * (1000.0::double + points) end) as laid,
        sum((case action when 'discard' then hash(turn, seat, card) when 'take' then hash(turn, seat, taken) end >> 24)::double) as acts,
        sum(case when action in ('draw', 'bonus') then if(reserve_size > 0, 1, (hash(turn, seat) >> 24)::double) end) as draws,
        -- seats follow one another, so seat less turn is always the same round the table
        max((seat + 12000 - turn) % players) - min((seat + 12000 - turn) % players) as shift
    from moves left join cards using (card), (select players, reserve_size from cells)
    where turn > 0 and action not in ('agree', 'refuse') group by all
),
account as (
    select game, deal, sum((place >> 40) * (1000.0::double * laid + laid_points)) as laid,
        sum(coalesce((hash(turn, seat, discard) >> 24)::double * (discard is not null)::integer, 0)
            + coalesce((hash(turn, seat, took) >> 24)::double * (took is not null)::integer, 0)) as acts,
        sum(if(reserve_size > 0, 1, (place >> 24)::double) * (stock - stock_left)) as draws
    from left_over, (select reserve_size from cells) group by all
),
differing as (
    select game, deal from ledger full join account using (game, deal)
    where coalesce(ledger.laid, 0) is distinct from account.laid or coalesce(ledger.acts, 0) is distinct from account.acts
        or coalesce(ledger.draws, 0) is distinct from account.draws
        or shift is null or (shift <> 0 and (select sides from cells) <> 'two_v_three')
),
done as (
    select game, deal, turn, min(seat) as first_seat, max(seat) as last_seat, count(*) filter (action in ('draw', 'bonus')) as draws, sum(taken) as took,
        count(*) filter (action in ('meld', 'take')) as laid, coalesce(sum(points) filter (action in ('meld', 'take')), 0) as laid_points,
        max(card) filter (action = 'discard') as discard
    from moves left join cards using (card)
    where turn > 0 and action not in ('agree', 'refuse') and (game, deal) in (from differing) group by all
)
select game, deal, turn, met.seat, done.first_seat, done.last_seat, met.took, done.took as moves_took, met.laid, done.laid as moves_laid,
    met.laid_points, done.laid_points as moves_laid_points, met.discard, done.discard as moves_discard,
    met.stock - met.stock_left as drawn, done.draws as moves_drawn
from (select * from left_over where (game, deal) in (from differing)) as met full join done using (game, deal, turn)
where met.seat is distinct from done.first_seat or met.seat is distinct from done.last_seat or met.took is distinct from done.took
    or met.laid is distinct from done.laid or met.laid_points is distinct from done.laid_points
    or met.discard is distinct from done.discard or met.stock - met.stock_left is distinct from done.draws
