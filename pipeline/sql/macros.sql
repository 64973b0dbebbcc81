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
