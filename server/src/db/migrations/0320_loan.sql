-- Loans of projects and leveraged loans. What each owes and what secures it is kept in accounts of the ledger as well; an
-- audit compares them. Amounts are USDT base units, but collateral, which is base units of its asset.

create table loan (
  id                  bigint primary key generated always as identity,
  loan_no             text not null unique,
  member_id           bigint not null references member (id),
  kind                text not null check (kind in ('project', 'lever')),
  project_id          bigint references project (id),
  collateral_asset    text not null check (collateral_asset in ('JU', 'HASH')),
  -- Terms, as they were when it was made.
  rate_ppm            integer not null,
  initial_ppm         integer not null,
  safety_ppm          integer not null,
  clearing_ppm        integer not null,
  reserve_ppm         integer not null,
  late_ppm            integer not null,
  grace_days          integer not null,
  default_days        integer not null,
  liquidation_fee_ppm integer not null,
  full_below          numeric(78, 0) not null,
  installment_fee     numeric(78, 0) not null,
  lent                numeric(78, 0) not null check (lent > 0),
  opened_on           date not null,
  due_on              date not null,
  -- Of a leveraged loan.
  margin              numeric(78, 0),
  ratio_tenths        integer,
  bought              numeric(78, 0),
  buy_price           numeric(78, 0),
  -- What is owed. Interest and charges: charged and paid since the loan was opened.
  state               text not null
    check (state in ('active', 'installment', 'overdue', 'liquidating', 'repaid', 'liquidated', 'written-off')),
  principal           numeric(78, 0) not null check (principal >= 0),
  interest_charged    numeric(78, 0) not null check (interest_charged >= 0),
  interest_paid       numeric(78, 0) not null default 0,
  late_charged        numeric(78, 0) not null default 0 check (late_charged >= 0),
  late_paid           numeric(78, 0) not null default 0,
  collateral          numeric(78, 0) not null check (collateral >= 0),
  interest_through    date not null,
  -- The day of the oldest due amount that is not wholly paid; null when nothing is owed.
  next_due_on         date,
  -- Upper bounds of the prices at which its lines are reached, with the interest of the days up to watch_through. The watcher finds
  -- loans by them and decides with exact figures.
  watch_price         numeric(78, 0) not null default 0,
  safety_price        numeric(78, 0) not null default 0,
  watch_through       date not null,
  -- Since it is above its safety line and its borrower was told.
  warned_at           timestamptz,
  -- The due date that its borrower was reminded of last.
  reminded_for        date,
  created_at          timestamptz not null,
  closed_at           timestamptz,
  check ((kind = 'project') = (project_id is not null)),
  check ((kind = 'lever') = (margin is not null and ratio_tenths is not null and bought is not null and buy_price is not null)),
  check (interest_paid between 0 and interest_charged),
  check (late_paid between 0 and late_charged),
  check (closed_at is null = (state in ('active', 'installment', 'overdue', 'liquidating'))),
  check (closed_at is null or (principal = 0 and interest_paid = interest_charged and late_paid = late_charged and collateral = 0))
-- Free space on each page, so that the interest of a day stays on its page and touches no index.
) with (fillfactor = 70);
create index loan_member on loan (member_id, id desc);
create index loan_member_open on loan (member_id, id desc) where closed_at is null;
create index loan_project on loan (project_id) where closed_at is null;
create index loan_open on loan (id) where closed_at is null;
create index loan_next_due on loan (next_due_on) where closed_at is null;
create index loan_watch on loan (collateral_asset, watch_price) where closed_at is null;
create index loan_safety on loan (collateral_asset, safety_price) where closed_at is null and warned_at is null;
create index loan_liquidating on loan (id) where state = 'liquidating';

-- Amounts that are due on days. An ordinary loan has one, for everything that is left then.
create table loan_due (
  loan_id      bigint not null references loan (id),
  number       integer not null check (number > 0),
  due_on       date not null,
  amount       numeric(78, 0) check (amount >= 0),
  paid         numeric(78, 0) not null default 0 check (paid >= 0),
  fee          numeric(78, 0) not null default 0 check (fee >= 0),
  fee_paid     numeric(78, 0) not null default 0 check (fee_paid between 0 and fee),
  late_through date,
  primary key (loan_id, number),
  check (amount is null or paid <= amount)
);

-- Every liquidation with the figures that it was decided by.
create table loan_liquidation (
  id             bigint primary key generated always as identity,
  liquidation_no text not null unique,
  loan_id        bigint not null references loan (id),
  reason         text not null check (reason in ('line', 'default', 'term')),
  is_full        boolean not null,
  principal      numeric(78, 0) not null,
  interest       numeric(78, 0) not null,
  charges        numeric(78, 0) not null,
  collateral     numeric(78, 0) not null,
  watch_price    numeric(78, 0) not null,
  sale_price     numeric(78, 0) not null,
  spot           numeric(78, 0) not null,
  average_5      numeric(78, 0) not null,
  average_30     numeric(78, 0) not null,
  pair           text not null,
  block_number   bigint not null,
  observed_at    timestamptz not null,
  desk_usdt      numeric(78, 0) not null,
  sold           numeric(78, 0) not null,
  proceeds       numeric(78, 0) not null,
  repaid         numeric(78, 0) not null,
  fee            numeric(78, 0) not null,
  returned       numeric(78, 0) not null,
  shortfall      numeric(78, 0) not null,
  reserve_paid   numeric(78, 0) not null,
  fund_lost      numeric(78, 0) not null,
  is_incomplete  boolean not null,
  at             timestamptz not null,
  check (repaid + fee = proceeds)
);
create index loan_liquidation_loan on loan_liquidation (loan_id, id desc);
create trigger append_only before update or delete or truncate on loan_liquidation
  for each statement execute function ledger_is_append_only();

-- How far the daily charge of interest came.
create table loan_day (
  day         date primary key,
  -- Loans up to this one are charged.
  to_loan     bigint not null default 0,
  loans       bigint not null default 0,
  interest    numeric(78, 0) not null default 0,
  opened_at   timestamptz not null,
  closed_at   timestamptz
);

comment on table loan is 'Loans of projects and leveraged loans. Amounts in USDT base units, collateral in base units of its asset.';
comment on column loan.rate_ppm is 'Millionths a year.';
comment on column loan.initial_ppm is 'Millionths: highest mortgage rate at which collateral is released.';
comment on column loan.safety_ppm is 'Millionths: mortgage rate of a margin call.';
comment on column loan.clearing_ppm is 'Millionths: mortgage rate of a liquidation.';
comment on column loan.reserve_ppm is 'Millionths of interest and late charges that go to the reserve.';
comment on column loan.late_ppm is 'Millionths a day of the overdue amount.';
comment on column loan.lent is 'What was lent at the start.';
comment on column loan.interest_charged is 'Since it was opened.';
comment on column loan.late_charged is 'Late charges since it was opened.';
comment on column loan.interest_through is 'Interest is charged up to this UTC day.';
comment on column loan.next_due_on is 'UTC day of the oldest due amount that is not wholly paid.';
comment on column loan.watch_price is 'Upper bound of the price at which the clearing line is reached, USDT base units per whole unit.';
comment on column loan.safety_price is 'Upper bound of the price at which the safety line is reached, USDT base units per whole unit.';
comment on column loan.watch_through is 'The bounds include interest up to this UTC day.';
comment on column loan.warned_at is 'Since when it is above its safety line.';
comment on column loan.reminded_for is 'Due date that its borrower was reminded of last.';
comment on table loan_due is 'Amounts of loans that are due on days. USDT base units.';
comment on column loan_due.amount is 'Without the handling fee; null for all that is left.';
comment on column loan_due.late_through is 'Late charges are charged up to this UTC day.';
comment on table loan_liquidation is 'Liquidations with all figures that they were decided by. Amounts in base units.';
comment on table loan_day is 'Progress of the daily charge of interest.';
comment on column loan_day.to_loan is 'Loans up to this id are charged.';

-- Records one posting that takes from many tracked accounts, such as the interest of many loans, and gives the sum to a
-- few rolled-up ones. The debited accounts come in ascending order, so that all locks are taken in the order of the
-- account numbers. All or nothing: unique_violation for a known id.
create function ledger_collect(
  p_id uuid, p_kind text, p_memo jsonb, p_time timestamptz,
  p_debits bigint[], p_amounts numeric[], p_credits bigint[], p_gains numeric[]
) returns numeric language plpgsql as
$$
declare
  v_total numeric;
begin
  if cardinality(p_debits) <> cardinality(p_amounts) or cardinality(p_credits) <> cardinality(p_gains)
    or (select sum(amount) from unnest(p_amounts) as amount) is distinct from (select sum(gain) from unnest(p_gains) as gain)
    or exists (
      select from (select account, amount, lag(account) over (order by no) as before
        from unnest(p_debits, p_amounts) with ordinality as l(account, amount, no)) line
      where line.account <= line.before or line.amount <= 0
        or line.account % 100 <> p_credits[1] % 100 or (line.account / 100) % 1000 not between 500 and 699)
    or exists (
      select from unnest(p_credits, p_gains) as l(account, gain)
      where gain <= 0 or account % 100 <> p_credits[1] % 100 or (account / 100) % 1000 < 700)
  then
    raise exception 'a collection takes positive amounts from tracked accounts of one asset, in ascending order, and gives their sum to rolled-up ones'
      using errcode = 'data_exception';
  end if;
  select sum(amount) into v_total from unnest(p_amounts) as amount;

  with line as materialized (
    select account, amount, no from unnest(p_debits, p_amounts) with ordinality as l(account, amount, no)
  ),
  moved as materialized (
    insert into ledger_account as a (id, balance, version)
    select account, -amount, 1 from line order by no
    on conflict (id) do update set balance = a.balance + excluded.balance, version = a.version + 1
    returning id, balance, version
  ),
  -- Numbered once all accounts are locked, as in ledger_apply.
  gate as materialized (
    select nextval('ledger_batch_seq') * 16384 + 1 as seq from (select count(*) from moved) locked
  ),
  gained as materialized (
    select account, gain, no from unnest(p_credits, p_gains) with ordinality as l(account, gain, no)
  ),
  posted as (
    insert into ledger_posting (seq, id, kind, memo, occurred_at)
    select gate.seq, p_id, p_kind, p_memo, p_time from gate
  ),
  rolled as (
    insert into ledger_delta (account, amount, entries) select account, gain, 1 from gained
  )
  insert into ledger_entry (posting, line, kind, account, amount, balance, version)
  select gate.seq, line.no, ledger_kind_code(p_kind), line.account, -line.amount, moved.balance, moved.version
  from gate cross join line join moved on moved.id = line.account
  union all
  select gate.seq, cardinality(p_debits) + gained.no, ledger_kind_code(p_kind), gained.account, gained.gain, null, null
  from gate cross join gained;
  return v_total;
end
$$;
