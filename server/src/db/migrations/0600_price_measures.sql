-- previous version: works
-- What collateral is lent on and sold by: the pairs over a week, in quarters of an hour, and what follows from it and from the
-- observations of the last minutes. Written with each observation, so that reading a price stays a few steps in an index.
create table pair_quarter (
  asset       text not null check (asset in ('JU', 'HASH')),
  quarter     timestamptz not null,
  pair        text not null,
  at          timestamptz not null,
  cumulative  numeric(78, 0) not null constraint pair_quarter_cumulative_is_a_number check (cumulative >= 0 and cumulative <> 'NaN'),
  usdt        numeric(78, 0) not null constraint pair_quarter_usdt_is_a_number check (usdt > 0 and usdt <> 'NaN'),
  primary key (asset, quarter)
);
comment on table pair_quarter is 'What each pair showed in quarters of an hour, for a little more than a week. Amounts in base units.';
comment on column pair_quarter.quarter is 'When it began.';
comment on column pair_quarter.at is 'The own time of the block of its first observation.';
comment on column pair_quarter.cumulative is 'Of its first observation.';
comment on column pair_quarter.usdt is 'USDT that the pair held, weighted by time.';

create table price_measure (
  asset            text primary key check (asset in ('JU', 'HASH')),
  median_5         numeric(78, 0) constraint price_measure_median_5_is_a_number check (median_5 > 0 and median_5 <> 'NaN'),
  day_usdt         numeric(78, 0) not null constraint price_measure_day_usdt_is_a_number check (day_usdt > 0 and day_usdt <> 'NaN'),
  week_usdt        numeric(78, 0) not null constraint price_measure_week_usdt_is_a_number check (week_usdt > 0 and week_usdt <> 'NaN'),
  since            timestamptz not null,
  week_at          timestamptz not null,
  week_cumulative  numeric(78, 0) not null
    constraint price_measure_week_cumulative_is_a_number check (week_cumulative >= 0 and week_cumulative <> 'NaN')
);
comment on table price_measure is 'What follows from the observations of a pair up to its last one. Amounts and prices in base units.';
comment on column price_measure.median_5 is
  'The price that the pair had above it for half of the last five minutes, and below it for half. Null until the first observation by this version.';
comment on column price_measure.day_usdt is 'The pair held at least as much USDT in nine tenths of the quarters of an hour of the last day.';
comment on column price_measure.week_usdt is 'The same of the last week.';
comment on column price_measure.since is 'The first observation of the pair, as far as it is kept.';
comment on column price_measure.week_at is 'Where the average of a week begins.';

insert into pair_quarter (asset, quarter, pair, at, cumulative, usdt)
select asset, date_bin('15 minutes', at, timestamptz 'epoch'), (array_agg(pair order by at desc))[1], min(at),
  (array_agg(cumulative order by at))[1], min(usdt_reserve)
from price_observation group by 1, 2;

insert into price_measure (asset, day_usdt, week_usdt, since, week_at, week_cumulative)
select asset, percentile_disc(0.1) within group (order by usdt), percentile_disc(0.1) within group (order by usdt), min(at),
  min(at), (array_agg(cumulative order by at))[1]
from pair_quarter group by asset;

-- Until when collateral is not sold because of what its pair does.
create table loan_wait (
  loan_id  bigint not null references loan (id),
  cause    text not null check (cause in ('call', 'line', 'term') or cause like 'default:%'),
  since    timestamptz not null,
  primary key (loan_id, cause)
);
comment on table loan_wait is 'Since when a sale or a margin call is held back while the price of the collateral moves.';
comment on column loan_wait.cause is 'Why it would be sold; a default with the day on which the amount was due.';

alter table loan_liquidation
  add column median_5 numeric(78, 0) constraint loan_liquidation_median_5_is_a_number check (median_5 > 0 and median_5 <> 'NaN'),
  add column average_day numeric(78, 0) constraint loan_liquidation_average_day_is_a_number check (average_day > 0 and average_day <> 'NaN');
comment on column loan_liquidation.median_5 is
  'What decides about a line. Null for sales before this column: there it was the higher of spot and 5-minute average.';
comment on column loan_liquidation.average_day is 'Null for sales before this column, which the average of a day did not bound.';
