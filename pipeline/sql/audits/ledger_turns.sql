/*
title = "Ledger and turns agree"
rule = "What `turns` says a seat took, laid and discarded, and the stock it left, is what the moves of that turn did, and its seat made them"
*/
with done as (
    select game, deal, turn, min(seat) filter (action <> 'agree' and action <> 'refuse') as first_seat,
        max(seat) filter (action <> 'agree' and action <> 'refuse') as last_seat,
        count(*) filter (action = 'draw') as draws, sum(taken) as took,
        count(*) filter (action = 'take') as takes, count(*) filter (action in ('meld', 'take')) as laid,
        coalesce(sum(points) filter (action in ('meld', 'take')), 0) as laid_points,
        count(*) filter (action = 'discard') as discards, max(card) filter (action = 'discard') as discard
    from moves left join cards using (card) where turn > 0 group by all
),
met as (
    select turns.*, case when game = lead(game) over () and deal = lead(deal) over () then lead(stock) over () end as next_stock
    from turns
)
select game, deal, turn, done.first_seat, done.last_seat, met.seat, done.took as moves_took, met.took,
    done.laid as moves_laid, met.laid, done.laid_points as moves_laid_points, met.laid_points,
    done.discard as moves_discard, met.discard, met.stock - done.draws as moves_stock_left,
    coalesce(met.next_stock, deals.stock) as stock_left
from met full join done using (game, deal, turn) left join deals using (game, deal)
where met.seat is distinct from done.first_seat or met.seat is distinct from done.last_seat
    or met.took is distinct from done.took or (done.takes > 0) <> (met.took is not null)
    or met.laid is distinct from done.laid or met.laid_points is distinct from done.laid_points
    or met.discard is distinct from done.discard or done.discards > 1
    or met.stock - done.draws is distinct from coalesce(met.next_stock, deals.stock)
