-- Loan products. Amounts are USDT base units, rates and lines millionths.

create table project (
  id               bigint primary key generated always as identity,
  project_no       text not null unique,
  name             jsonb not null,
  information      jsonb not null,
  collateral_asset text not null check (collateral_asset in ('JU', 'HASH')),
  total            numeric(78, 0) not null check (total > 0),
  -- Principal that is lent now, and interest that its loans were charged so far: kept with every change of a loan.
  borrowed         numeric(78, 0) not null default 0 check (borrowed >= 0),
  interest_earned  numeric(78, 0) not null default 0 check (interest_earned >= 0),
  rate_ppm         integer not null check (rate_ppm between 0 and 1000000),
  initial_ppm      integer not null,
  safety_ppm       integer not null,
  clearing_ppm     integer not null,
  created_at       timestamptz not null,
  closed_at        timestamptz,
  check (borrowed <= total),
  check (0 < initial_ppm and initial_ppm < safety_ppm and safety_ppm < clearing_ppm and clearing_ppm < 1000000)
);

comment on table project is 'Loan products. Amounts in USDT base units.';
comment on column project.total is 'The most that is lent at the same time.';
comment on column project.borrowed is 'Principal that is lent now.';
comment on column project.interest_earned is 'Interest charged to its loans so far.';
comment on column project.rate_ppm is 'Millionths a year.';
comment on column project.initial_ppm is 'Millionths: highest mortgage rate of a new loan.';
comment on column project.safety_ppm is 'Millionths: mortgage rate of a margin call.';
comment on column project.clearing_ppm is 'Millionths: mortgage rate of a liquidation.';
