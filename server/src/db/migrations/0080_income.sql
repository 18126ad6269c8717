-- A day's revenue shared among those whose power was active on it. Amounts in HASH base units.

-- One row a day, in order and without gaps. It is written when the day's figures are fixed and sharing begins; which power
-- counts cannot change any more from then on, because later payments start later (firstOpenDay).
create table income_day (
  day         date primary key,
  -- What was deposited for this day, and what earlier days left over.
  revenue     numeric(78, 0) not null check (revenue >= 0),
  carried_in  numeric(78, 0) not null check (carried_in >= 0),
  -- Over all plans; zero when nobody had power.
  total_units bigint not null check (total_units >= 0),
  fee         numeric(78, 0) not null check (fee >= 0),
  -- So far, while the day is being shared.
  paid        numeric(78, 0) not null default 0,
  accounts    bigint not null default 0,
  -- Members up to this one have their share.
  paid_to_member bigint not null default 0,
  opened_at   timestamptz not null,
  closed_at   timestamptz,
  check (paid >= 0 and paid + fee <= revenue + carried_in),
  check (revenue > 0 or (fee = 0 and paid = 0)),
  check (total_units > 0 or (fee = 0 and paid = 0))
);
-- At most one day is being shared at a time.
create unique index income_day_open on income_day ((closed_at is null)) where closed_at is null;

-- The terms that the day was shared on, plan by plan.
create table income_day_plan (
  day     date   not null references income_day (day),
  plan_id bigint not null references power_plan (id),
  fee_ppm integer not null,
  units   bigint not null check (units > 0),
  fee     numeric(78, 0) not null check (fee >= 0),
  primary key (day, plan_id)
);

-- Which deposit was shared on which day: its own, or the next open one when it came late.
create table income_deposit (
  chain_event_id bigint primary key references chain_event (id),
  day            date not null references income_day (day)
);
create index income_deposit_day on income_deposit (day);
create index chain_event_revenue on chain_event (reference) where action = 'revenue';

-- Orders that earn or earned, with all that a day's sharing reads of them.
create index power_order_earning on power_order (member_id) include (plan_id, units, starts_on, ends_on)
  where starts_on is not null;

-- Pays one posting to many members: takes the sum from p_debit and gives p_amounts to p_credits, one line each. The
-- credited accounts come in ascending order, above p_debit, so that all locks are taken in the order of the account
-- numbers. All or nothing: unique_violation for a known id, check_violation when p_debit would go below zero.
create function ledger_share(
  p_id uuid, p_kind text, p_memo jsonb, p_time timestamptz, p_debit bigint, p_credits bigint[], p_amounts numeric[]
) returns numeric language plpgsql as
$$
declare
  v_total numeric;
  v_balance numeric;
  v_version bigint;
begin
  if p_debit >= p_credits[1] or (p_debit / 100) % 1000 >= 500
    or cardinality(p_credits) <> cardinality(p_amounts)
    or exists (
      select from (select account, amount, lag(account) over (order by no) as before
        from unnest(p_credits, p_amounts) with ordinality as l(account, amount, no)) line
      where line.account <= line.before or line.amount <= 0
        or line.account % 100 <> p_debit % 100 or (line.account / 100) % 1000 >= 500)
  then
    raise exception 'shares need positive amounts for floored accounts of one asset, in ascending order'
      using errcode = 'data_exception';
  end if;
  select sum(amount) into v_total from unnest(p_amounts) as amount;

  update ledger_account set balance = balance - v_total, version = version + 1 where id = p_debit
  returning balance, version into v_balance, v_version;
  if not found then
    raise exception 'account % has nothing to share', p_debit using errcode = 'check_violation';
  end if;

  with line as materialized (
    select account, amount, no from unnest(p_credits, p_amounts) with ordinality as l(account, amount, no)
  ),
  moved as materialized (
    insert into ledger_account as a (id, balance, version)
    select account, amount, 1 from line order by no
    on conflict (id) do update set balance = a.balance + excluded.balance, version = a.version + 1
    returning id, balance, version
  ),
  -- Numbered once all accounts are locked, as in ledger_apply.
  gate as materialized (
    select nextval('ledger_batch_seq') * 16384 + 1 as seq from (select count(*) from moved) locked
  ),
  posted as (
    insert into ledger_posting (seq, id, kind, memo, occurred_at)
    select gate.seq, p_id, p_kind, p_memo, p_time from gate
  )
  insert into ledger_entry (posting, line, account, amount, balance, version)
  select gate.seq, 1, p_debit, -v_total, v_balance, v_version from gate
  union all
  select gate.seq, 1 + line.no, line.account, line.amount, moved.balance, moved.version
  from gate cross join line join moved on moved.id = line.account;
  return v_total;
end
$$;
