-- previous version: works
-- Whoever could call these functions with anything could make value. The columns of the ledger round: half a unit was taken from nobody and
-- became a whole one. In a collection, assets were compared with the one of the first credit, and nothing was where the array does not begin
-- at 1. They refuse both now, and a batch of so many postings that their numbers belong to the next one.

-- As before, but fractions and too large batches are refused.
create or replace function ledger_post(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql security definer as
$$
begin
  if p_amounts <> p_amounts::numeric(100, 0)[] then
    raise exception 'amounts are whole numbers of base units' using errcode = 'data_exception';
  -- Their numbers would be those of the next batch.
  elsif cardinality(p_ids) >= 16384 then
    raise exception 'a batch has at most 16383 postings' using errcode = 'data_exception';
  end if;
  for v_attempt in 1 .. 2 loop
    -- The usual case is one statement and nothing looked up before. When it does not apply, the inner block undoes it
    -- and lets go of its locks.
    begin
      perform ledger_apply(p_ids, p_kinds, p_memos, p_times,
        p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
      return array_fill(0::bigint, array[cardinality(p_ids)]);
    exception
      when no_data_found then
        -- New accounts are made while no lock is held, so that all locks are taken in one order.
        insert into ledger_account (id, balance, version)
        select distinct account, 0, 0 from unnest(p_debits || p_credits) as account
        where (account / 100) % 1000 < 700 order by account
        on conflict (id) do nothing;
      when check_violation or unique_violation then
        exit;
    end;
  end loop;
  return ledger_post_one_by_one(p_ids, p_kinds, p_memos, p_times,
    p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
end
$$;

-- As before, but fractions are refused.
create or replace function ledger_share(
  p_id uuid, p_kind text, p_memo jsonb, p_time timestamptz, p_debit bigint, p_credits bigint[], p_amounts numeric[]
) returns numeric language plpgsql security definer as
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
      where line.account <= line.before or line.amount <= 0 or line.amount <> trunc(line.amount)
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
  insert into ledger_entry (posting, line, kind, account, amount, balance, version)
  select gate.seq, 1, ledger_kind_code(p_kind), p_debit, -v_total, v_balance, v_version from gate
  union all
  select gate.seq, 1 + line.no, ledger_kind_code(p_kind), line.account, line.amount, moved.balance, moved.version
  from gate cross join line join moved on moved.id = line.account;
  return v_total;
end
$$;

-- As before, but fractions and several assets are refused.
create or replace function ledger_collect(
  p_id uuid, p_kind text, p_memo jsonb, p_time timestamptz,
  p_debits bigint[], p_amounts numeric[], p_credits bigint[], p_gains numeric[]
) returns numeric language plpgsql security definer
  -- The update locks as it goes, in the order of the account numbers, which only a nested loop over the sorted lines keeps.
  set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_total numeric;
  v_moved bigint;
begin
  select sum(amount) into v_total from unnest(p_amounts) as amount;
  if cardinality(p_debits) <> cardinality(p_amounts) or cardinality(p_credits) <> cardinality(p_gains)
    or v_total is distinct from (select sum(gain) from unnest(p_gains) as gain)
    or (select min(amount) from unnest(p_amounts) as amount) <= 0
    or exists (select from unnest(p_amounts || p_gains) as amount where amount <> trunc(amount))
    -- No element is asked for by its place: an array may begin at another than the first.
    or (select count(distinct account % 100) from unnest(p_debits || p_credits) as account) > 1
    or exists (select from unnest(p_debits) as account where (account / 100) % 1000 not between 500 and 699)
    or exists (
      select from unnest(p_credits, p_gains) as l(account, gain) where gain < 0 or (account / 100) % 1000 < 700)
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

-- To replace a function takes its settings from it.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_proc p where p.pronamespace = current_schema()::regnamespace
      and p.proname in ('ledger_post', 'ledger_share', 'ledger_collect')
  loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
  end loop;
end $$;
