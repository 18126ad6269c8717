-- The ledger: an append-only journal of postings and their entries, and one balance row per account.
--
-- Account number: owner * 100000 + chart * 100 + asset. Owner 0 is the platform, others are member ids.
-- The chart number says how an account is kept:
--   100-499  floored:   never below zero; row locked while posting; every entry has its running balance and version
--   500-699  tracked:   as above without the floor
--   700-999  rolled up: for platform accounts that nearly every posting touches. No lock, so nobody waits for anybody;
--                       a posting batch adds one row to ledger_delta, and ledger_roll_up() folds these into the balance.
--                       View ledger_balance is exact all the same: it adds what is not folded yet.
-- Sign: an entry's amount is what the account gained. Every leg takes from one account and gives to another, so each
-- posting sums to zero per asset.

create table ledger_posting (
  seq         bigint primary key,
  -- Made by the caller before anything is written: posting it again changes nothing.
  id          uuid not null unique,
  kind        text not null,
  memo        jsonb not null,
  -- SHA-256 over kind, legs and memo: tells a repetition from another posting under the same id.
  digest      bytea not null,
  occurred_at timestamptz not null
);
-- Numbers are drawn while the accounts are locked, so an account's entries are numbered in the order of its versions.
create sequence ledger_posting_seq as bigint owned by ledger_posting.seq;

create table ledger_entry (
  posting bigint not null,
  line    integer not null,
  account bigint not null,
  amount  numeric(78, 0) not null,
  balance numeric(78, 0),
  version bigint,
  primary key (posting, line)
);
create index ledger_entry_account on ledger_entry (account, posting, line);

-- Few columns and free space on each page, so that a new balance stays on its page and touches no index.
create table ledger_account (
  id      bigint primary key,
  balance numeric(78, 0) not null,
  version bigint not null,
  constraint ledger_account_floor check (balance >= 0 or (id / 100) % 1000 >= 500)
) with (fillfactor = 50);

create table ledger_delta (
  account bigint not null,
  amount  numeric(78, 0) not null,
  entries bigint not null
);
create index ledger_delta_account on ledger_delta (account);

create view ledger_balance as
select account, sum(balance)::numeric(78, 0) as balance, sum(entries)::bigint as entries
from (
  select id as account, balance, version as entries from ledger_account
  union all
  select account, amount, entries from ledger_delta
) parts
group by account;

create function ledger_is_append_only() returns trigger language plpgsql as
$$ begin raise exception '% is append-only', tg_table_name; end $$;

create trigger append_only before update or delete or truncate on ledger_posting
  for each statement execute function ledger_is_append_only();
create trigger append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_is_append_only();
-- "always": also for sessions that replay for replication, where ordinary triggers sleep.
alter table ledger_posting enable always trigger append_only;
alter table ledger_entry enable always trigger append_only;
create trigger no_removal before delete or truncate on ledger_account
  for each statement execute function ledger_is_append_only();

-- Records postings that must all succeed: all of them are new and nobody is overdrawn, else an error undoes the call.
-- Legs name their posting by its place in p_ids (from 1).
create function ledger_apply(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_digests bytea[], p_times timestamptz[],
  p_leg_posting integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns void language plpgsql set enable_hashjoin = off as
$$
declare
  v_inserted bigint;
  v_dipped boolean;
begin
  with leg as materialized (
    select posting, debit, credit, amount, no
    from unnest(p_leg_posting, p_debits, p_credits, p_amounts) with ordinality as l(posting, debit, credit, amount, no)
  ),
  line as materialized (
    select posting, account, gain,
      row_number() over (partition by posting order by no, side) as line,
      sum(gain) over running as prefix,
      row_number() over running as place,
      (account / 100) % 1000 as chart
    from (
      select posting, debit as account, -amount as gain, no, 1 as side from leg
      union all
      select posting, credit, amount, no, 2 from leg
    ) both_sides
    window running as (partition by account order by no, side rows unbounded preceding)
  ),
  net as materialized (
    select account, sum(gain) as gain, count(*) as entries, min(prefix) as lowest, min(chart) as chart
    from line group by account order by account
  ),
  -- The update locks as it goes: rows come in the order of the account numbers (a nested loop over the sorted net;
  -- a hash join would not keep it and is off), so two batches never wait for each other in a circle.
  moved as (
    update ledger_account a
    set balance = a.balance + net.gain, version = a.version + net.entries
    from net
    where a.id = net.account and net.chart < 700
    returning a.id, a.balance - net.gain as balance_before, a.version - net.entries as version_before,
      net.chart < 500 and a.balance - net.gain + net.lowest < 0 as dipped
  ),
  gate as materialized (
    select coalesce(bool_or(dipped), false) as dipped, count(*) as moved from moved
  ),
  posted as (
    insert into ledger_posting (seq, id, kind, memo, digest, occurred_at)
    select nextval('ledger_posting_seq'), p.id, p.kind, p.memo, p.digest, p.occurred_at
    from gate, unnest(p_ids, p_kinds, p_memos, p_digests, p_times) with ordinality
      as p(id, kind, memo, digest, occurred_at, no)
    where not gate.dipped
    order by p.no
    on conflict (id) do nothing
    returning seq, id
  ),
  numbered as materialized (
    select posted.seq, p.no
    from posted join unnest(p_ids) with ordinality as p(id, no) on p.id = posted.id
  ),
  written as (
    insert into ledger_entry (posting, line, account, amount, balance, version)
    select numbered.seq, line.line, line.account, line.gain,
      moved.balance_before + line.prefix, moved.version_before + line.place
    from numbered
    join line on line.posting = numbered.no
    left join moved on moved.id = line.account
    order by numbered.seq, line.line
  ),
  rolled as (
    insert into ledger_delta (account, amount, entries)
    select account, gain, entries from net where chart >= 700
  )
  select gate.dipped, (select count(*) from numbered) into v_dipped, v_inserted from gate;

  if v_dipped then
    raise exception 'an account would dip below zero' using errcode = 'check_violation';
  end if;
  -- Somebody posted one of these ids since we looked: look again, from the start of the transaction.
  if v_inserted <> cardinality(p_ids) then
    raise exception 'a posting id was taken meanwhile' using errcode = 'serialization_failure';
  end if;
end
$$;

-- Posts a batch as if its postings came one after the other. Answers per posting, in their order:
--   0 posted now; -1 already there with the same content; -2 the id is taken by other content (nothing is written);
--   else the number of the account that would go below zero (that posting is left out, whole).
-- An id may occur once per call.
create function ledger_post(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_digests bytea[], p_times timestamptz[],
  p_leg_posting integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
declare
  v_accounts bigint[];
  v_broken boolean;
  v_known boolean;
  v_outcome bigint[] := array_fill(0::bigint, array[cardinality(p_ids)]);
begin
  select array_agg(distinct account order by account) filter (where (account / 100) % 1000 < 700),
    bool_or(amount <= 0 or debit = credit or debit % 100 <> credit % 100)
  into v_accounts, v_broken
  from unnest(p_debits, p_credits, p_amounts) as leg(debit, credit, amount), unnest(array[debit, credit]) as account;
  if v_broken then
    raise exception 'a leg needs a positive amount and two different accounts of one asset' using errcode = 'data_exception';
  end if;

  -- New accounts come first, before any lock is held, so that the locks below stay in one order.
  if (select count(*) from ledger_account where id = any (v_accounts)) < cardinality(v_accounts) then
    insert into ledger_account (id, balance, version)
    select id, 0, 0 from unnest(v_accounts) as id order by id
    on conflict (id) do nothing;
  end if;

  v_known := exists (select from ledger_posting where id = any (p_ids));
  if not v_known then
    -- The usual case in one statement. The inner block lets it be undone when somebody turns out to be overdrawn.
    begin
      perform ledger_apply(p_ids, p_kinds, p_memos, p_digests, p_times, p_leg_posting, p_debits, p_credits, p_amounts);
      return v_outcome;
    exception when check_violation then
      null;
    end;
  end if;
  return ledger_post_one_by_one(v_accounts, p_ids, p_kinds, p_memos, p_digests, p_times,
    p_leg_posting, p_debits, p_credits, p_amounts);
end
$$;

-- The same for a batch in which some ids are known or some accounts may be overdrawn: locks, decides posting by posting
-- on the balances in memory, then applies those that can be.
create function ledger_post_one_by_one(
  p_accounts bigint[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_digests bytea[], p_times timestamptz[],
  p_leg_posting integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
declare
  v_balances numeric[];
  v_before numeric[];
  v_outcome bigint[];
  v_accepted integer[];
  v_legs integer;
  v_leg integer := 1;
  v_first integer;
  v_debit integer;
  v_credit integer;
begin
  select array_agg(balance order by id) into v_balances
  from (select id, balance from ledger_account where id = any (p_accounts) order by id for no key update) locked;

  -- A new statement after the locks, so it sees what those that held them have posted.
  select array_agg(case when k.id is null then 0 when k.digest = p.digest then -1 else -2 end order by p.no)
  into v_outcome
  from unnest(p_ids, p_digests) with ordinality as p(id, digest, no) left join ledger_posting k on k.id = p.id;

  v_legs := cardinality(p_leg_posting);
  for v_posting in 1 .. cardinality(p_ids) loop
    v_first := v_leg;
    v_before := v_balances;
    while v_leg <= v_legs and p_leg_posting[v_leg] = v_posting loop
      if v_outcome[v_posting] = 0 then
        v_debit := array_position(p_accounts, p_debits[v_leg]);
        v_credit := array_position(p_accounts, p_credits[v_leg]);
        if v_debit is not null then
          v_balances[v_debit] := v_balances[v_debit] - p_amounts[v_leg];
          if v_balances[v_debit] < 0 and (p_debits[v_leg] / 100) % 1000 < 500 then
            v_outcome[v_posting] := p_debits[v_leg];
          end if;
        end if;
        if v_credit is not null then
          v_balances[v_credit] := v_balances[v_credit] + p_amounts[v_leg];
        end if;
      end if;
      v_leg := v_leg + 1;
    end loop;
    if v_outcome[v_posting] > 0 then
      v_balances := v_before;
    elsif v_outcome[v_posting] = 0 then
      v_accepted := v_accepted || v_posting;
    end if;
  end loop;

  if v_accepted is not null then
    perform ledger_apply_some(v_accepted, p_ids, p_kinds, p_memos, p_digests, p_times,
      p_leg_posting, p_debits, p_credits, p_amounts);
  end if;
  return v_outcome;
end
$$;

-- Applies the postings at the given places.
create function ledger_apply_some(
  p_places integer[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_digests bytea[], p_times timestamptz[],
  p_leg_posting integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns void language sql as
$$
  select ledger_apply(p.ids, p.kinds, p.memos, p.digests, p.times, l.postings, l.debits, l.credits, l.amounts)
  from (
    select array_agg(p_ids[place] order by place) as ids, array_agg(p_kinds[place] order by place) as kinds,
      array_agg(p_memos[place] order by place) as memos, array_agg(p_digests[place] order by place) as digests,
      array_agg(p_times[place] order by place) as times
    from unnest(p_places) as place
  ) p, (
    select array_agg(array_position(p_places, posting) order by no) as postings, array_agg(debit order by no) as debits,
      array_agg(credit order by no) as credits, array_agg(amount order by no) as amounts
    from unnest(p_leg_posting, p_debits, p_credits, p_amounts) with ordinality as leg(posting, debit, credit, amount, no)
    where posting = any (p_places)
  ) l
$$;

-- Folds what rolled-up accounts have received since the last time into their balances. Returns the rows folded.
-- Several at once are fine: each row is folded by one of them.
create function ledger_roll_up() returns bigint language sql as
$$
  with taken as (
    delete from ledger_delta returning account, amount, entries
  ),
  folded as (
    insert into ledger_account (id, balance, version)
    select account, sum(amount), sum(entries) from taken group by account order by account
    on conflict (id) do update set balance = ledger_account.balance + excluded.balance,
      version = ledger_account.version + excluded.version
  )
  select count(*) from taken
$$;
