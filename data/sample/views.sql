-- The tables of this run as views. In this folder:  duckdb -init views.sql
-- From elsewhere, before any question:              set file_search_path = 'path of this folder';
/*
Macros that every query may use; loaded before the views.

Intervals are clustered by game (METRICS §2): give them one row a game, k and n being the game's totals.
A share lies between 0 and 1. Fewer than 30 games get no interval.
*/

-- k of n as a fraction; null where n is 0.
create or replace macro share(k, n) as k / nullif(n, 0);

-- Block of a game, the same in all cells: what jackknifes leave out one by one.
create or replace macro block(game) as (game - 1) % 64;

-- A value passes a choice: a list of allowed values, or null for any.
create or replace macro picked(value, choice) as choice is null or list_contains(choice, value);

-- Quantile of the normal distribution (Acklam; relative error below 1.2e-9).
create or replace macro normal_tail(q) as
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q
        + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
create or replace macro normal_middle(q) as
    (((((-3.969683028665376e1 * q * q + 2.209460984245205e2) * q * q - 2.759285104469687e2) * q * q
        + 1.383577518672690e2) * q * q - 3.066479806614716e1) * q * q + 2.506628277459239) * q
    / (((((-5.447609879822406e1 * q * q + 1.615858368580409e2) * q * q - 1.556989798598866e2) * q * q
        + 6.680131188771972e1) * q * q - 1.328068155288572e1) * q * q + 1);
create or replace macro normal_quantile(p) as case
    when p <= 0 or p >= 1 then null
    when p < 0.02425 then normal_tail(sqrt(-2 * ln(p)))
    when p > 0.97575 then -normal_tail(sqrt(-2 * ln(1 - p)))
    else normal_middle(p - 0.5) end;

-- Standard errors to each side of a value in an interval of this level: 1.96 at 0.95.
create or replace macro errors_of(level) as normal_quantile(0.5 + level / 2);

-- Student's t of so many degrees of freedom as rare as a normal quantile (Cornish and Fisher; within 1e-7 from 29 on).
create or replace macro student(z, freedom) as z + (z ** 3 + z) / 4 / freedom
    + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96 / freedom ** 2
    + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384 / freedom ** 3
    + (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160 / freedom ** 4;

-- Wilson's interval of k in n independent trials, as {low, high}; neither need be whole. A lambda names each part once.
create or replace macro wilson_within(k, n, z) as list_transform(
    [{'p': k / nullif(n, 0), 'n': n::double, 'z': z::double}],
    lambda t: case when t.n > 0 then {
        'low': greatest(0, least(t.p, (t.p + t.z ** 2 / (2 * t.n)
            - t.z * sqrt(t.p * (1 - t.p) / t.n + t.z ** 2 / (4 * t.n ** 2))) / (1 + t.z ** 2 / t.n))),
        'high': least(1, greatest(t.p, (t.p + t.z ** 2 / (2 * t.n)
            + t.z * sqrt(t.p * (1 - t.p) / t.n + t.z ** 2 / (4 * t.n ** 2))) / (1 + t.z ** 2 / t.n)))
    } end)[1];
create or replace macro wilson(k, n, level := 0.95) as wilson_within(k, n, errors_of(level));

-- Aggregate over games: the sums that a ratio Σk ÷ Σn and its interval need. `games` counts those with n > 0.
create or replace macro ratio_sums(k, n) as {'k': sum(k)::double, 'n': nullif(sum(n), 0)::double,
    'kk': sum(k::double * k), 'kn': sum(k::double * n), 'nn': sum(n::double * n), 'games': count(*) filter (n > 0)};

-- Of such sums: the ratio and its standard error from the variance between games.
create or replace macro ratio_of(sums) as list_transform([sums], lambda t: {'value': t.k / t.n, 'n': t.n,
    'games': t.games, 'se': sqrt(greatest(0, t.kk - 2 * (t.k / t.n) * t.kn + (t.k / t.n) ** 2 * t.nn)
        * t.games / nullif(t.games - 1, 0)) / t.n})[1];

-- Aggregate over blocks of games: the standard error of what was estimated without each filled block in turn.
create or replace macro jackknifed(rest, filled) as
    sqrt((count(*) filter (filled) - 1) * var_pop(rest) filter (filled));
create or replace macro ratio_of_blocks(k, n, rest, filled, games) as {'value': sum(k) / nullif(sum(n), 0),
    'n': sum(n), 'games': least(games, sum(n)), 'se': jackknifed(rest, filled)};

-- Intervals of such ratios, `z` standard errors to each side, as {value, low, high}, where there is enough of them.
-- Method R; W, a share of rows: Wilson on as many rows as the variance leaves; B, a result a game.
create or replace macro share_rows(of) as case
    when of.value <= 0 or of.value >= 1 then of.games
    when of.se = 0 then of.n
    else least(of.n, of.value * (1 - of.value) / of.se ** 2) end;
create or replace macro ratio_within(of, z, enough) as {'value': of.value,
    'low': case when enough then of.value - z * of.se end, 'high': case when enough then of.value + z * of.se end};
create or replace macro rows_within(of, rows, z, enough) as list_transform(
    [{'value': of.value, 'ci': wilson_within(of.value * rows, rows, z), 'enough': enough}],
    lambda t: {'value': t.value, 'low': case when t.enough then t.ci.low end, 'high': case when t.enough then t.ci.high end}
)[1];
create or replace macro share_within(of, z, enough) as rows_within(of, share_rows(of), z, enough);
create or replace macro result_within(of, z, enough) as
    rows_within(of, case when of.n = of.games then of.n else share_rows(of) end, z, enough);
create or replace macro ratio_interval(sums, level) as list_transform([ratio_of(sums)],
    lambda of: ratio_within(of, errors_of(level), of.games >= 30))[1];
create or replace macro share_interval(sums, level) as list_transform([ratio_of(sums)],
    lambda of: share_within(of, errors_of(level), of.games >= 30))[1];

-- Of two cells, base first: the covariance of their ratios by sums of products over the games of both, and a variance
-- of their difference but for what rounding leaves.
create or replace macro covariance_of(shared, base, other) as
    (shared.kk - other.value * shared.kn - base.value * shared.nk + base.value * other.value * shared.nn)
    * least(base.games, other.games) / (least(base.games, other.games) - 1) / (base.n * other.n);
create or replace macro settled(together, apart) as case when together > 1e-12 * apart then together else 0 end;

-- Aggregates over games: Σk ÷ Σn as {value, low, high}, by method R and W.
create or replace macro ratio_ci(k, n, level := 0.95) as ratio_interval(ratio_sums(k, n), level);
create or replace macro share_ci(k, n, level := 0.95) as share_interval(ratio_sums(k, n), level);

-- Too few games to lean on: fewer than 400, or an interval wider each way than a fifth of the value.
create or replace macro few(games, ci) as not coalesce(games >= 400 and (ci.high - ci.low) / 2 <= 0.2 * abs(ci.value), false);

-- Counts of thirteen cards side by side in one exact number, four bits each: weight of a card by its place, one card's
-- count, and whether any count lies above `most` (at most 7). A count below zero borrows from the next and shows as 15.
create or replace macro packed_weight(place) as 16.0::double ** ((place - 1) % 13);
create or replace macro packed_count(number, place) as (number >> (4 * ((place - 1) % 13))) & 15;
create or replace macro packed_above(number, most) as ((number + (7 - most) * 300239975158033) & 2401919801264264) <> 0;

-- What shows a deal, RUN being the run's folder: the command that fills in the folder knows it.
create or replace macro replay_command(variant, lineup, game, deal) as
    'canasta replay RUN ' || game || ' ' || deal || ' --variant ' || variant || ' --lineup ' || lineup;

-- Side of a seat, strategy of a seat and of a side, under a variant and line-up of this run.
create or replace macro side_of(seat, variant) as ((seat::integer - 1) % 2 + 1);
create or replace macro strategy_of(seat, variant, lineup) as (case lineup when 'safe' then case when seat is not null then ('safe') end when 'safe~naive' then case when seat is not null then (['safe', 'naive', 'safe', 'naive'][seat]) end when 'naive~safe' then case when seat is not null then (['naive', 'safe', 'naive', 'safe'][seat]) end end);
create or replace macro side_strategy_of(side, variant, lineup) as (case lineup when 'safe' then case when side is not null then ('safe') end when 'safe~naive' then case when side is not null then (['safe', 'naive'][side]) end when 'naive~safe' then case when side is not null then (['naive', 'safe'][side]) end end);
-- Seats that play a deal: of five, one sits out.
create or replace macro active_seats(variant) as (4);

create or replace view cards as
select card, rank, suit, colour, kind, points, place
from (values ('4C', '4', 'C', 'black', '4', 5, 1),
('4D', '4', 'D', 'red', '4', 5, 2),
('4H', '4', 'H', 'red', '4', 5, 3),
('4S', '4', 'S', 'black', '4', 5, 4),
('5C', '5', 'C', 'black', '5', 5, 5),
('5D', '5', 'D', 'red', '5', 5, 6),
('5H', '5', 'H', 'red', '5', 5, 7),
('5S', '5', 'S', 'black', '5', 5, 8),
('6C', '6', 'C', 'black', '6', 5, 9),
('6D', '6', 'D', 'red', '6', 5, 10),
('6H', '6', 'H', 'red', '6', 5, 11),
('6S', '6', 'S', 'black', '6', 5, 12),
('7C', '7', 'C', 'black', '7', 5, 13),
('7D', '7', 'D', 'red', '7', 5, 14),
('7H', '7', 'H', 'red', '7', 5, 15),
('7S', '7', 'S', 'black', '7', 5, 16),
('8C', '8', 'C', 'black', '8', 10, 17),
('8D', '8', 'D', 'red', '8', 10, 18),
('8H', '8', 'H', 'red', '8', 10, 19),
('8S', '8', 'S', 'black', '8', 10, 20),
('9C', '9', 'C', 'black', '9', 10, 21),
('9D', '9', 'D', 'red', '9', 10, 22),
('9H', '9', 'H', 'red', '9', 10, 23),
('9S', '9', 'S', 'black', '9', 10, 24),
('TC', 'T', 'C', 'black', 'T', 10, 25),
('TD', 'T', 'D', 'red', 'T', 10, 26),
('TH', 'T', 'H', 'red', 'T', 10, 27),
('TS', 'T', 'S', 'black', 'T', 10, 28),
('JC', 'J', 'C', 'black', 'J', 10, 29),
('JD', 'J', 'D', 'red', 'J', 10, 30),
('JH', 'J', 'H', 'red', 'J', 10, 31),
('JS', 'J', 'S', 'black', 'J', 10, 32),
('QC', 'Q', 'C', 'black', 'Q', 10, 33),
('QD', 'Q', 'D', 'red', 'Q', 10, 34),
('QH', 'Q', 'H', 'red', 'Q', 10, 35),
('QS', 'Q', 'S', 'black', 'Q', 10, 36),
('KC', 'K', 'C', 'black', 'K', 10, 37),
('KD', 'K', 'D', 'red', 'K', 10, 38),
('KH', 'K', 'H', 'red', 'K', 10, 39),
('KS', 'K', 'S', 'black', 'K', 10, 40),
('AC', 'A', 'C', 'black', 'A', 20, 41),
('AD', 'A', 'D', 'red', 'A', 20, 42),
('AH', 'A', 'H', 'red', 'A', 20, 43),
('AS', 'A', 'S', 'black', 'A', 20, 44),
('2C', '2', 'C', 'black', '2', 20, 45),
('2D', '2', 'D', 'red', '2', 20, 46),
('2H', '2', 'H', 'red', '2', 20, 47),
('2S', '2', 'S', 'black', '2', 20, 48),
('3C', '3', 'C', 'black', 'black3', 5, 49),
('3D', '3', 'D', 'red', 'red3', 0, 50),
('3H', '3', 'H', 'red', 'red3', 0, 51),
('3S', '3', 'S', 'black', 'black3', 5, 52),
('JK', 'JK', null, null, 'JK', 50, 53)) as rows(card, rank, suit, colour, kind, points, place);

create or replace view cells as
from (values (1::INTEGER, 'classic4'::VARCHAR, 'safe'::VARCHAR, 'safe'::VARCHAR, 'classic4'::VARCHAR, '{}'::VARCHAR, 'H'::VARCHAR, ['safe', 'safe']::VARCHAR[], ['safe', 'safe', 'safe', 'safe']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 1::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[]),
(2::INTEGER, 'classic4'::VARCHAR, 'safe~naive'::VARCHAR, 'safe~naive'::VARCHAR, 'classic4'::VARCHAR, '{}'::VARCHAR, 'H'::VARCHAR, ['safe', 'naive']::VARCHAR[], ['safe', 'naive', 'safe', 'naive']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 1::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[]),
(3::INTEGER, 'classic4'::VARCHAR, 'naive~safe'::VARCHAR, 'safe~naive'::VARCHAR, 'classic4'::VARCHAR, '{}'::VARCHAR, 'H'::VARCHAR, ['naive', 'safe']::VARCHAR[], ['naive', 'safe', 'naive', 'safe']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 1::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[]),
(4::INTEGER, 'classic4.canastas_out-2'::VARCHAR, 'safe'::VARCHAR, 'safe'::VARCHAR, 'classic4'::VARCHAR, '{"canastas_out": 2}'::VARCHAR, 'H'::VARCHAR, ['safe', 'safe']::VARCHAR[], ['safe', 'safe', 'safe', 'safe']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 2::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[]),
(5::INTEGER, 'classic4.canastas_out-2'::VARCHAR, 'safe~naive'::VARCHAR, 'safe~naive'::VARCHAR, 'classic4'::VARCHAR, '{"canastas_out": 2}'::VARCHAR, 'H'::VARCHAR, ['safe', 'naive']::VARCHAR[], ['safe', 'naive', 'safe', 'naive']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 2::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[]),
(6::INTEGER, 'classic4.canastas_out-2'::VARCHAR, 'naive~safe'::VARCHAR, 'safe~naive'::VARCHAR, 'classic4'::VARCHAR, '{"canastas_out": 2}'::VARCHAR, 'H'::VARCHAR, ['naive', 'safe']::VARCHAR[], ['naive', 'safe', 'naive', 'safe']::VARCHAR[], 60::INTEGER, 60::INTEGER, 1::BIGINT, 1::INTEGER, 4::INTEGER, 'two_teams'::VARCHAR, 2::INTEGER, 4::INTEGER, 11::INTEGER, 0::INTEGER, 'none'::VARCHAR, 'until_natural_or_black3'::VARCHAR, 1::INTEGER, 0::INTEGER, ['red3']::VARCHAR[], 2::INTEGER, 3::INTEGER, 'none'::VARCHAR, 0::INTEGER, map {}::MAP(VARCHAR, VARCHAR), false::BOOLEAN, 'none'::VARCHAR, false::BOOLEAN, null::INTEGER, 'one'::VARCHAR, false::BOOLEAN, 'stop'::VARCHAR, 'going_out'::VARCHAR, 'never'::VARCHAR, 1::INTEGER, [row(-99999, 15), row(0, 50), row(1500, 90), row(3000, 120)]::STRUCT("from" INTEGER, minimum INTEGER)[], 'score'::VARCHAR, 'top_counts'::VARCHAR, [row(-99999, 'any')]::STRUCT("from" INTEGER, content VARCHAR)[], ['concealed_out']::VARCHAR[], row([], 'none')::STRUCT(counts INTEGER[], "when" VARCHAR), 'dynamic'::VARCHAR, ['wild', 'red3_upcard']::VARCHAR[], ['pair', 'natural_wild', 'add']::VARCHAR[], true::BOOLEAN, ['wild', 'black3', 'red3']::VARCHAR[], 'forbidden'::VARCHAR, 'all'::VARCHAR, 'stays'::VARCHAR, 'taken'::VARCHAR, null::INTEGER, 'lay_replace'::VARCHAR, [100, 200, 300, 800]::INTEGER[], 'melded'::VARCHAR, 2::INTEGER, map {}::MAP(VARCHAR, INTEGER), []::VARCHAR[], 'optional'::VARCHAR, 'optional'::VARCHAR, 'pile_play_forced'::VARCHAR, 'end_at_once'::VARCHAR, map {'natural': 500, 'mixed': 300}::MAP(VARCHAR, INTEGER), map {'out': 100, 'concealed': 200, 'concealed_plain': 100}::MAP(VARCHAR, INTEGER), true::BOOLEAN, map {}::MAP(VARCHAR, INTEGER), 'any'::VARCHAR, map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), map {}::MAP(VARCHAR, INTEGER), false::BOOLEAN, 'all'::VARCHAR, 0::INTEGER, 5000::INTEGER, null::INTEGER, 'extra_deal'::VARCHAR, []::VARCHAR[])) as rows("cell", "variant", "lineup", "given_lineup", "base", "changes", "confidence", "side_strategies", "seat_strategies", "games", "games_planned", "seed", "comparable_group", "players", "sides", "packs", "jokers", "hand_size", "reserve_size", "reserve_pickup", "upcard", "draw_count", "pile_extra_draw", "discard_bans", "min_naturals", "max_wilds", "wild_ratio", "wild_add_min_naturals", "natural_only_ranks", "sequences", "wild_melds", "open_wild_meld_locks_wilds", "max_meld_size", "same_rank_melds", "closed_ranks_dead", "black3_role", "black3_meld", "full_sequence_add", "meld_from_round", "initial_minimums", "initial_basis", "initial_pile", "initial_content", "initial_waivers", "initial_draw", "pile_frozen", "freeze_by", "unfrozen_take", "add_to_complete", "untakeable_tops", "one_card_pile", "pile_portion", "pile_rest", "freeze_ends", "freeze_limit", "red3_use", "red3_totals", "red3_sign", "canastas_out", "canastas_out_types", "out_conditions", "out_discard", "ask_partner", "stock_end", "last_red3", "canasta_bonus", "out_bonus", "concealed_with_pile", "special_hands", "wild_pair_kind", "open_meld_penalty", "held_penalty", "set_bonuses", "melds_negative_without_canasta", "counted_canastas", "one_turn_canasta_bonus", "target", "deals", "tie", "match_win");

create or replace view moves as
select variant, lineup, game, deal::INTEGER as deal, turn::INTEGER as turn, move::INTEGER as move, seat::INTEGER as seat, side_of(seat, variant) as side, strategy_of(seat, variant, lineup) as strategy, action, card, meld, taken::INTEGER as taken
from read_parquet(['moves/variant=classic4/lineup=safe/00001.60.parquet',
'moves/variant=classic4/lineup=safe~naive/00001.60.parquet',
'moves/variant=classic4/lineup=naive~safe/00001.60.parquet',
'moves/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'moves/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'moves/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view turns as
select variant, lineup, game, deal::INTEGER as deal, turn::INTEGER as turn, seat::INTEGER as seat, side_of(seat, variant) as side, strategy_of(seat, variant, lineup) as strategy, upcard, pile::INTEGER as pile, hand::INTEGER as hand, stock::INTEGER as stock, state, frozen_by, could_take, could_open, could_out, took::INTEGER as took, how, opened, laid::INTEGER as laid, laid_points::INTEGER as laid_points, discard, in_theirs, in_ours, thrown_before, seen::INTEGER as seen, had_other, next_could_take, next_took::INTEGER as next_took
from read_parquet(['turns/variant=classic4/lineup=safe/00001.60.parquet',
'turns/variant=classic4/lineup=safe~naive/00001.60.parquet',
'turns/variant=classic4/lineup=naive~safe/00001.60.parquet',
'turns/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'turns/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'turns/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view piles as
select variant, lineup, game, deal::INTEGER as deal, pile::INTEGER as pile, first_turn::INTEGER as first_turn, last_turn::INTEGER as last_turn, frozen_turn::INTEGER as frozen_turn, frozen_by, frozen_seat::INTEGER as frozen_seat, side_of(frozen_seat, variant) as frozen_side, strategy_of(frozen_seat, variant, lineup) as frozen_strategy, wilds_on_frozen::INTEGER as wilds_on_frozen, black_threes::INTEGER as black_threes, ending, taken_seat::INTEGER as taken_seat, side_of(taken_seat, variant) as taken_side, strategy_of(taken_seat, variant, lineup) as taken_strategy, how, cards::INTEGER as cards, card_points::INTEGER as card_points
from read_parquet(['piles/variant=classic4/lineup=safe/00001.60.parquet',
'piles/variant=classic4/lineup=safe~naive/00001.60.parquet',
'piles/variant=classic4/lineup=naive~safe/00001.60.parquet',
'piles/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'piles/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'piles/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view deals as
select variant, lineup, game, deal::INTEGER as deal, dealer::INTEGER as dealer, seats::INTEGER as seats, sits_out::INTEGER as sits_out, turns::INTEGER as turns, ending, out_seat::INTEGER as out_seat, side_of(out_seat, variant) as out_side, strategy_of(out_seat, variant, lineup) as out_strategy, stock::INTEGER as stock, pile::INTEGER as pile, biggest_take::INTEGER as biggest_take, biggest_take_seat::INTEGER as biggest_take_seat, side_of(biggest_take_seat, variant) as biggest_take_side, strategy_of(biggest_take_seat, variant, lineup) as biggest_take_strategy, hands, upcards, reserves
from read_parquet(['deals/variant=classic4/lineup=safe/00001.60.parquet',
'deals/variant=classic4/lineup=safe~naive/00001.60.parquet',
'deals/variant=classic4/lineup=naive~safe/00001.60.parquet',
'deals/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'deals/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'deals/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view sides as
select variant, lineup, game, deal::INTEGER as deal, side::INTEGER as side, side_strategy_of(side, variant, lineup) as strategy, score_before, score_after, minimum::INTEGER as minimum, open_turn::INTEGER as open_turn, open_seat::INTEGER as open_seat, strategy_of(open_seat, variant, lineup) as open_strategy, opening, open_points::INTEGER as open_points, first_canasta_turn::INTEGER as first_canasta_turn, legal_takes::INTEGER as legal_takes, takes::INTEGER as takes, taken_cards::INTEGER as taken_cards, freezes::INTEGER as freezes, natural_canastas::INTEGER as natural_canastas, mixed_canastas::INTEGER as mixed_canastas, natural_4::INTEGER as natural_4, natural_5::INTEGER as natural_5, natural_6::INTEGER as natural_6, natural_7::INTEGER as natural_7, natural_8::INTEGER as natural_8, natural_9::INTEGER as natural_9, natural_T::INTEGER as natural_T, natural_J::INTEGER as natural_J, natural_Q::INTEGER as natural_Q, natural_K::INTEGER as natural_K, natural_A::INTEGER as natural_A, mixed_4::INTEGER as mixed_4, mixed_5::INTEGER as mixed_5, mixed_6::INTEGER as mixed_6, mixed_7::INTEGER as mixed_7, mixed_8::INTEGER as mixed_8, mixed_9::INTEGER as mixed_9, mixed_T::INTEGER as mixed_T, mixed_J::INTEGER as mixed_J, mixed_Q::INTEGER as mixed_Q, mixed_K::INTEGER as mixed_K, mixed_A::INTEGER as mixed_A, wild_canastas::INTEGER as wild_canastas, sequence_canastas::INTEGER as sequence_canastas, royal_canastas::INTEGER as royal_canastas, melded_cards::INTEGER as melded_cards, held_cards::INTEGER as held_cards, red_threes::INTEGER as red_threes, black_threes::INTEGER as black_threes, lone, partner::INTEGER as partner, natural_points, mixed_points, wild_points, sequence_points, royal_points, set_points, card_points, held_points, held_penalty_points, open_meld_points, red_three_points, out_points, aside_points, one_turn_points, special_points, score
from read_parquet(['sides/variant=classic4/lineup=safe/00001.60.parquet',
'sides/variant=classic4/lineup=safe~naive/00001.60.parquet',
'sides/variant=classic4/lineup=naive~safe/00001.60.parquet',
'sides/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'sides/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'sides/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view games as
select variant, lineup, game, seed, ending, deals::INTEGER as deals, turns, winner::INTEGER as winner, side_strategy_of(winner, variant, lineup) as winner_strategy, takes::INTEGER as takes, legal_takes, taken_cards, frozen_turns, frozen_deals::INTEGER as frozen_deals, freezes::INTEGER as freezes, out_deals::INTEGER as out_deals, melded_cards, scores, side_takes::INTEGER[] as side_takes, side_natural_canastas::INTEGER[] as side_natural_canastas, side_mixed_canastas::INTEGER[] as side_mixed_canastas, side_wild_canastas::INTEGER[] as side_wild_canastas, side_sequence_canastas::INTEGER[] as side_sequence_canastas
from read_parquet(['games/variant=classic4/lineup=safe/00001.60.parquet',
'games/variant=classic4/lineup=safe~naive/00001.60.parquet',
'games/variant=classic4/lineup=naive~safe/00001.60.parquet',
'games/variant=classic4.canastas_out-2/lineup=safe/00001.60.parquet',
'games/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.parquet',
'games/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_games as
select "variant", "lineup", "block", "rows", "cards_per_take", "of_cards_per_take", "deals_per_game", "of_deals_per_game", "capped", "freezes_per_deal", "of_freezes_per_deal", "frozen_deal_share", "frozen_turn_share", "of_frozen_turn_share", "minutes_per_game_online", "minutes_per_game_club", "minutes_per_game_social", "out_rate", "points_per_side_deal", "of_points_per_side_deal", "of_take_rate", "turns_per_game"
from read_parquet(['rollups/games/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/games/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/games/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/games/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/games/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/games/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_deals as
select "variant", "lineup", "block", "deal", "ending", "rows", "concealed_rate", "ending_share_out", "ending_share_special", "ending_share_stock", "ending_share_red_three", "ending_share_cap", "out_rate", "rounds_per_deal", "turns_per_deal"
from read_parquet(['rollups/deals/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deals/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deals/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deals/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deals/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deals/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_sides as
select "variant", "lineup", "block", "deal", "minimum", "opened", "side", "strategy", "rows", "any_canasta_rate", "of_any_canasta_rate", "any_canasta_rate_natural", "any_canasta_rate_mixed", "any_canasta_rate_wild", "any_canasta_rate_sequence", "any_canasta_rate_royal", "of_canasta_rank_share", "canasta_rank_share_4", "canasta_rank_share_5", "canasta_rank_share_6", "canasta_rank_share_7", "canasta_rank_share_8", "canasta_rank_share_9", "canasta_rank_share_T", "canasta_rank_share_J", "canasta_rank_share_Q", "canasta_rank_share_K", "canasta_rank_share_A", "canastas_per_side_deal", "canastas_per_side_deal_natural", "canastas_per_side_deal_mixed", "canastas_per_side_deal_wild", "canastas_per_side_deal_sequence", "canastas_per_side_deal_royal", "freezes_per_side_deal", "open_rate", "opening_share_hand", "opening_share_pile", "points_per_side_deal", "points_per_side_deal_natural", "points_per_side_deal_mixed", "points_per_side_deal_wild", "points_per_side_deal_sequence", "points_per_side_deal_royal", "points_per_side_deal_sets", "points_per_side_deal_cards", "points_per_side_deal_held", "points_per_side_deal_held_penalties", "points_per_side_deal_open_melds", "points_per_side_deal_red_threes", "points_per_side_deal_out", "points_per_side_deal_aside", "points_per_side_deal_one_turn", "points_per_side_deal_special", "takes_per_side_deal"
from read_parquet(['rollups/sides/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/sides/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/sides/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/sides/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/sides/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/sides/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_freezes as
select "variant", "lineup", "block", "cause", "pile_ending", "pile_size", "strategy", "rows", "freeze_ended_rate", "freeze_left_rate", "of_freeze_left_rate", "freeze_length", "freeze_won_rate", "of_freeze_won_rate", "freezes_per_deal_red3", "freezes_per_deal_black3", "freezes_per_deal_upcard_wild", "freezes_per_deal_upcard_red3", "freezes_per_deal_upcard_black3"
from read_parquet(['rollups/freezes/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freezes/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freezes/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freezes/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freezes/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freezes/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_turns as
select "variant", "lineup", "block", "turn", "round", "side", "strategy", "rows", "cards_per_take", "of_cards_per_take", "of_discard_class_share", "discard_class_share_feeds", "discard_class_share_low", "discard_class_share_high", "discard_class_share_ace", "discard_class_share_wild", "discard_class_share_black3", "discard_class_share_red3", "discard_danger", "of_discard_danger", "discard_risk", "feed_rate", "of_feed_rate", "frozen_turn_share", "pile_state_share_open", "pile_state_share_frozen", "pile_state_share_unopened", "pile_state_share_stopped", "pile_state_share_wild_top", "pile_state_share_empty", "of_take_rate"
from read_parquet(['rollups/turns/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/turns/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/turns/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/turns/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/turns/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/turns/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_seats as
select "variant", "lineup", "block", "deal", "seat", "side", "strategy", "rows", "cards_per_take", "of_cards_per_take", "of_discard_class_share", "discard_class_share_feeds", "discard_class_share_low", "discard_class_share_high", "discard_class_share_ace", "discard_class_share_wild", "discard_class_share_black3", "discard_class_share_red3", "discard_danger", "of_discard_danger", "discard_risk", "feed_rate", "of_feed_rate", "frozen_turn_share", "pile_state_share_open", "pile_state_share_frozen", "pile_state_share_unopened", "pile_state_share_stopped", "pile_state_share_wild_top", "pile_state_share_empty", "of_take_rate"
from read_parquet(['rollups/seats/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/seats/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/seats/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/seats/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/seats/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/seats/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_states as
select "variant", "lineup", "block", "state", "pile_size", "how", "side", "strategy", "rows", "cards_per_take", "of_cards_per_take", "of_discard_class_share", "discard_class_share_feeds", "discard_class_share_low", "discard_class_share_high", "discard_class_share_ace", "discard_class_share_wild", "discard_class_share_black3", "discard_class_share_red3", "discard_danger", "of_discard_danger", "discard_risk", "feed_rate", "of_feed_rate", "frozen_turn_share", "pile_state_share_open", "pile_state_share_frozen", "pile_state_share_unopened", "pile_state_share_stopped", "pile_state_share_wild_top", "pile_state_share_empty", "of_take_rate"
from read_parquet(['rollups/states/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/states/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/states/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/states/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/states/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/states/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_ranks as
select "variant", "lineup", "block", "rank", "card_class", "round", "in_theirs", "rows", "discard_danger", "of_discard_danger", "discard_risk", "feed_rate", "of_feed_rate"
from read_parquet(['rollups/ranks/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/ranks/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/ranks/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/ranks/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/ranks/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/ranks/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_discards as
select "variant", "lineup", "block", "rank", "card_class", "in_theirs", "side", "strategy", "rows", "discard_danger", "of_discard_danger", "discard_risk", "feed_rate", "of_feed_rate"
from read_parquet(['rollups/discards/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/discards/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/discards/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/discards/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/discards/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/discards/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_situations as
select "variant", "lineup", "block", "card_class", "in_theirs", "in_ours", "thrown_before", "pile_size", "side", "strategy", "rows", "discard_danger", "of_discard_danger", "discard_risk"
from read_parquet(['rollups/situations/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/situations/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/situations/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/situations/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/situations/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/situations/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_copies as
select "variant", "lineup", "block", "seen", "card_class", "in_theirs", "side", "strategy", "rows", "discard_danger", "of_discard_danger", "discard_risk"
from read_parquet(['rollups/copies/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/copies/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/copies/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/copies/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/copies/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/copies/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_margins as
select "variant", "lineup", "block", "take_size", "how", "strategy", "rows", "take_margin"
from read_parquet(['rollups/margins/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margins/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margins/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margins/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margins/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margins/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_margin_rounds as
select "variant", "lineup", "block", "round", "deal", "strategy", "rows", "take_margin"
from read_parquet(['rollups/margin_rounds/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margin_rounds/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margin_rounds/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margin_rounds/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margin_rounds/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/margin_rounds/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_openings as
select "variant", "lineup", "block", "open_turn", "minimum", "strategy", "rows", "open_margin", "of_open_margin"
from read_parquet(['rollups/openings/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/openings/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/openings/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/openings/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/openings/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/openings/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_leads as
select "variant", "lineup", "block", "deal", "rows", "comeback", "of_comeback", "lead_changes", "of_lead_changes", "leader_wins"
from read_parquet(['rollups/leads/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/leads/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/leads/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/leads/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/leads/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/leads/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_biggest_takes as
select "variant", "lineup", "block", "deal", "rows", "biggest_take_wins"
from read_parquet(['rollups/biggest_takes/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/biggest_takes/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/biggest_takes/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/biggest_takes/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/biggest_takes/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/biggest_takes/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_deal_leads as
select "variant", "lineup", "block", "deal", "rows", "lead_edge_deal", "lead_edge_points"
from read_parquet(['rollups/deal_leads/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deal_leads/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deal_leads/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deal_leads/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deal_leads/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/deal_leads/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_game_leads as
select "variant", "lineup", "block", "rows", "lead_edge_game"
from read_parquet(['rollups/game_leads/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_leads/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_leads/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_leads/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_leads/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_leads/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_results as
select "variant", "lineup", "block", "deal", "side", "strategy", "rows", "won", "ahead", "squared"
from read_parquet(['rollups/results/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/results/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/results/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/results/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/results/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/results/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_game_results as
select "variant", "lineup", "block", "side", "strategy", "rows", "won"
from read_parquet(['rollups/game_results/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_results/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_results/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_results/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_results/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/game_results/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_first_canastas as
select "variant", "lineup", "block", "strategy", "at", "rows"
from read_parquet(['rollups/first_canastas/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/first_canastas/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/first_canastas/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/first_canastas/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/first_canastas/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/first_canastas/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_take_sizes as
select "variant", "lineup", "block", "strategy", "at", "rows"
from read_parquet(['rollups/take_sizes/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/take_sizes/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/take_sizes/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/take_sizes/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/take_sizes/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/take_sizes/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});

create or replace view rollup_freeze_lengths as
select "variant", "lineup", "block", "cause", "strategy", "at", "rows"
from read_parquet(['rollups/freeze_lengths/variant=classic4/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freeze_lengths/variant=classic4/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freeze_lengths/variant=classic4/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freeze_lengths/variant=classic4.canastas_out-2/lineup=safe/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freeze_lengths/variant=classic4.canastas_out-2/lineup=safe~naive/00001.60.4d4186a6c1e2f9b7.parquet',
'rollups/freeze_lengths/variant=classic4.canastas_out-2/lineup=naive~safe/00001.60.4d4186a6c1e2f9b7.parquet'], hive_partitioning = true, hive_types = {'variant': varchar, 'lineup': varchar});
