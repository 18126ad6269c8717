-- What is owed on a loan, and what the interest of a day is computed from, in a table of its own: few columns, and no index that
-- a day touches. The interest of a day writes every open loan, and a version of all its columns was most of what that cost.

create table loan_debt (
  loan_id          bigint primary key references loan (id),
  project_id       bigint references project (id),
  rate_ppm         integer not null,
  reserve_ppm      integer not null,
  principal        numeric(78, 0) not null check (principal >= 0),
  interest_charged numeric(78, 0) not null check (interest_charged >= 0),
  interest_paid    numeric(78, 0) not null default 0,
  late_charged     numeric(78, 0) not null default 0 check (late_charged >= 0),
  late_paid        numeric(78, 0) not null default 0,
  interest_through date not null,
  next_due_on      date,
  watch_through    date not null,
  check (interest_paid between 0 and interest_charged),
  check (late_paid between 0 and late_charged),
  check (next_due_on is not null or (principal = 0 and interest_paid = interest_charged and late_paid = late_charged))
-- The interest of a day writes every loan of a page anew in one transaction: half of the page has to be free.
) with (fillfactor = 45);
insert into loan_debt (loan_id, project_id, rate_ppm, reserve_ppm, principal, interest_charged, interest_paid, late_charged,
  late_paid, interest_through, next_due_on, watch_through)
select id, project_id, rate_ppm, reserve_ppm, principal, interest_charged, interest_paid, late_charged, late_paid,
  interest_through, next_due_on, watch_through
from loan order by id;
create index loan_debt_open on loan_debt (loan_id) where next_due_on is not null;
create index loan_debt_next_due on loan_debt (next_due_on) where next_due_on is not null;

drop index loan_open;
alter table loan drop column project_id, drop column rate_ppm, drop column reserve_ppm, drop column principal,
  drop column interest_charged, drop column interest_paid, drop column late_charged, drop column late_paid,
  drop column interest_through, drop column next_due_on, drop column watch_through;
alter table loan add check (closed_at is null or collateral = 0);
alter table loan set (fillfactor = 90);

-- A loan with its debt, for reading. Its lock is the row of its debt.
create view loan_with_debt as
select l.*, d.project_id, d.rate_ppm, d.reserve_ppm, d.principal, d.interest_charged, d.interest_paid, d.late_charged,
  d.late_paid, d.interest_through, d.next_due_on, d.watch_through
from loan l join loan_debt d on d.loan_id = l.id;

comment on table loan is 'Terms, collateral and state of loans. Collateral in base units of its asset, other amounts in USDT base units.';
comment on table loan_debt is 'What is owed on loans. USDT base units. The lock of a loan is its row here.';
comment on column loan_debt.rate_ppm is 'Millionths a year.';
comment on column loan_debt.reserve_ppm is 'Millionths of interest and late charges that go to the reserve.';
comment on column loan_debt.project_id is 'That lent it; null of leveraged loans.';
comment on column loan_debt.interest_charged is 'Since it was opened.';
comment on column loan_debt.late_charged is 'Late charges since it was opened.';
comment on column loan_debt.interest_through is 'Interest is charged up to this UTC day.';
comment on column loan_debt.next_due_on is 'UTC day of the oldest due amount that is not wholly paid; null when nothing is owed.';
comment on column loan_debt.watch_through is 'The bounds of its prices include interest up to this UTC day.';
comment on view loan_with_debt is 'Loans with what is owed on them.';

-- As before, but accounts are updated: an insert that finds a row each time locks it and then writes it. Credits of nothing
-- are left out. Debited accounts may come in any order, each once.
create or replace function ledger_collect(
  p_id uuid, p_kind text, p_memo jsonb, p_time timestamptz,
  p_debits bigint[], p_amounts numeric[], p_credits bigint[], p_gains numeric[]
) returns numeric language plpgsql
  -- The update locks as it goes, in the order of the account numbers, which only a nested loop over the sorted lines keeps.
  set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_total numeric;
  v_moved bigint;
begin
  select sum(amount) into v_total from unnest(p_amounts) as amount;
  if cardinality(p_debits) <> cardinality(p_amounts) or cardinality(p_credits) <> cardinality(p_gains)
    or v_total is distinct from (select sum(gain) from unnest(p_gains) as gain)
    or (select min(amount) from unnest(p_amounts) as amount) <= 0
    or exists (
      select from unnest(p_debits) as account
      where account % 100 <> p_credits[1] % 100 or (account / 100) % 1000 not between 500 and 699)
    or exists (
      select from unnest(p_credits, p_gains) as l(account, gain)
      where gain < 0 or account % 100 <> p_credits[1] % 100 or (account / 100) % 1000 < 700)
  then
    raise exception 'a collection takes positive amounts from tracked accounts of one asset and gives their sum to rolled-up ones'
      using errcode = 'data_exception';
  end if;

  for v_attempt in 1 .. 2 loop
    begin
      with line as materialized (
        select account, amount, no from unnest(p_debits, p_amounts) with ordinality as l(account, amount, no) order by account
      ),
      moved as materialized (
        update ledger_account a set balance = a.balance - line.amount, version = a.version + 1
        from line where a.id = line.account
        returning a.id, line.no, line.amount, a.balance, a.version
      ),
      -- Numbered once all accounts are locked, as in ledger_apply.
      gate as materialized (
        select nextval('ledger_batch_seq') * 16384 + 1 as seq, count(*) as moved from moved
      ),
      gained as materialized (
        select account, gain, no from unnest(p_credits, p_gains) with ordinality as l(account, gain, no) where gain > 0
      ),
      posted as (
        insert into ledger_posting (seq, id, kind, memo, occurred_at)
        select gate.seq, p_id, p_kind, p_memo, p_time from gate
      ),
      rolled as (
        insert into ledger_delta (account, amount, entries) select account, gain, 1 from gained
      ),
      written as (
        insert into ledger_entry (posting, line, kind, account, amount, balance, version)
        select gate.seq, moved.no, ledger_kind_code(p_kind), moved.id, -moved.amount, moved.balance, moved.version
        from gate cross join moved
        union all
        select gate.seq, cardinality(p_debits) + gained.no, ledger_kind_code(p_kind), gained.account, gained.gain, null, null
        from gate cross join gained
      )
      select moved into v_moved from gate;
      if v_moved < cardinality(p_debits) then
        raise exception 'an account has no row yet, or comes twice' using errcode = 'no_data_found';
      end if;
      return v_total;
    exception when no_data_found then
      if v_attempt = 2 then
        raise exception 'an account comes twice in a collection' using errcode = 'data_exception';
      end if;
      -- Made while no lock is held, so that all locks are taken in one order.
      insert into ledger_account (id, balance, version)
      select distinct account, 0, 0 from unnest(p_debits) as account order by account
      on conflict (id) do nothing;
    end;
  end loop;
end
$$;
