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
  occurred_at timestamptz not null
);
-- A batch draws one number while its accounts are locked and its postings are numbered from there (batch * 16384 +
-- place), so an account's entries are numbered in the order of its versions.
create sequence ledger_batch_seq as bigint owned by ledger_posting.seq;

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

-- Records postings that must all succeed, else an error undoes the call: unique_violation when an id is known,
-- check_violation when an account would be below zero after some leg, no_data_found when an account has no row yet.
-- Legs name their posting by its place in p_ids (from 1) and their place in it (from 1).
create function ledger_apply(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns void language plpgsql set enable_hashjoin = off as
$$
declare
  v_dipped boolean;
  v_missing boolean;
  v_broken boolean;
begin
  with leg as materialized (
    select posting, place, debit, credit, amount, no
    from unnest(p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts) with ordinality
      as l(posting, place, debit, credit, amount, no)
  ),
  line as materialized (
    select posting, line, account, gain, (account / 100) % 1000 as chart,
      sum(gain) over running as prefix, row_number() over running as version
    from (
      select posting, 2 * place - 1 as line, debit as account, -amount as gain, no from leg
      union all
      select posting, 2 * place, credit, amount, no from leg
    ) sides
    window running as (partition by account order by no rows unbounded preceding)
  ),
  net as materialized (
    select account, chart, sum(gain) as gain, min(prefix) as lowest, count(*) as entries
    from line group by account, chart order by account
  ),
  -- The update locks as it goes: rows come in the order of the account numbers (a nested loop over the sorted net;
  -- a hash join would not keep it and is off), so two batches never wait for each other in a circle.
  moved as (
    update ledger_account a
    set balance = a.balance + net.gain, version = a.version + net.entries
    from net
    where a.id = net.account and net.chart < 700
    returning a.id, a.balance - net.gain as balance, a.version - net.entries as version,
      net.chart < 500 and a.balance - net.gain + net.lowest < 0 as dipped
  ),
  gate as materialized (
    select nextval('ledger_batch_seq') * 16384 as base, bool_or(dipped) as dipped, count(*) as moved from moved
  ),
  posted as (
    insert into ledger_posting (seq, id, kind, memo, occurred_at)
    select gate.base + p.no, p.id, p.kind, p.memo, p.occurred_at
    from gate, unnest(p_ids, p_kinds, p_memos, p_times) with ordinality
      as p(id, kind, memo, occurred_at, no)
  ),
  written as (
    insert into ledger_entry (posting, line, account, amount, balance, version)
    select gate.base + line.posting, line.line, line.account, line.gain,
      moved.balance + line.prefix, moved.version + line.version
    from gate cross join line left join moved on moved.id = line.account
  ),
  rolled as (
    insert into ledger_delta (account, amount, entries)
    select account, gain, entries from net where chart >= 700
  )
  select dipped, moved < (select count(*) from net where chart < 700),
    (select bool_or(amount <= 0 or debit = credit or debit % 100 <> credit % 100) from leg)
  into v_dipped, v_missing, v_broken
  from gate;

  if v_broken then
    raise exception 'a leg needs a positive amount and two accounts of one asset' using errcode = 'data_exception';
  elsif v_missing then
    raise exception 'an account has no row yet' using errcode = 'no_data_found';
  elsif v_dipped then
    raise exception 'an account would dip below zero' using errcode = 'check_violation';
  end if;
end
$$;

-- Posts a batch as if its postings came one after the other. Answers per posting, in their order:
--   0 posted now; -1 already there with the same content; -2 the id is taken by other content (nothing is written);
--   else the number of the account that would go below zero (that posting is left out, whole).
-- An id may occur once per call.
create function ledger_post(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
begin
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

-- The legs of a recorded posting: {debit, credit, amount} each.
create function ledger_legs(p_posting bigint) returns numeric[] language sql stable as
$$
  select array_agg(array[d.account, c.account, c.amount] order by d.line)
  from ledger_entry d join ledger_entry c on c.posting = d.posting and c.line = d.line + 1
  where d.posting = p_posting and d.line % 2 = 1
$$;

-- The same for a batch in which some ids are known or somebody is overdrawn: locks, decides posting by posting on the
-- balances in memory, then applies those that can be.
create function ledger_post_one_by_one(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
declare
  v_accounts bigint[];
  v_balances numeric[];
  v_before numeric[];
  v_outcome bigint[];
  v_accepted integer[];
  v_leg integer := 1;
  v_place integer;
begin
  insert into ledger_account (id, balance, version)
  select distinct account, 0, 0 from unnest(p_debits || p_credits) as account
  where (account / 100) % 1000 < 700 order by account
  on conflict (id) do nothing;

  select array_agg(id order by id), array_agg(balance order by id) into v_accounts, v_balances
  from (
    select id, balance from ledger_account
    where id = any (p_debits || p_credits) and (id / 100) % 1000 < 700
    order by id for no key update
  ) locked;

  -- A new statement after the locks, so it sees what those that held them have posted. A known id with the same kind,
  -- memo and legs is a repetition; the time is not compared, the first one's stays.
  select array_agg(
    case
      when k.id is null then 0
      when k.kind = p.kind and k.memo = p.memo and ledger_legs(k.seq) = (
        select array_agg(array[debit, credit, amount] order by no)
        from unnest(p_leg_posting, p_debits, p_credits, p_amounts) with ordinality as l(posting, debit, credit, amount, no)
        where l.posting = p.no
      ) then -1
      else -2
    end order by p.no)
  into v_outcome
  from unnest(p_ids, p_kinds, p_memos) with ordinality as p(id, kind, memo, no)
  left join ledger_posting k on k.id = p.id;

  for v_posting in 1 .. cardinality(p_ids) loop
    v_before := v_balances;
    while p_leg_posting[v_leg] = v_posting loop
      if v_outcome[v_posting] = 0 then
        -- Rolled-up accounts are not among the locked ones and can go anywhere.
        v_place := array_position(v_accounts, p_debits[v_leg]);
        if v_place is not null then
          v_balances[v_place] := v_balances[v_place] - p_amounts[v_leg];
          if v_balances[v_place] < 0 and (p_debits[v_leg] / 100) % 1000 < 500 then
            v_outcome[v_posting] := p_debits[v_leg];
          end if;
        end if;
        v_place := array_position(v_accounts, p_credits[v_leg]);
        if v_place is not null then
          v_balances[v_place] := v_balances[v_place] + p_amounts[v_leg];
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
    perform ledger_apply_some(v_accepted, p_ids, p_kinds, p_memos, p_times,
      p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
  end if;
  return v_outcome;
exception when unique_violation then
  -- Somebody posted one of these ids since we looked: the whole transaction is to run again.
  raise exception 'a posting id was taken meanwhile' using errcode = 'serialization_failure';
end
$$;

-- Applies the postings at the given places.
create function ledger_apply_some(
  p_places integer[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns void language sql as
$$
  select ledger_apply(p.ids, p.kinds, p.memos, p.times,
    l.postings, l.places, l.debits, l.credits, l.amounts)
  from (
    select array_agg(p_ids[place] order by place) as ids, array_agg(p_kinds[place] order by place) as kinds,
      array_agg(p_memos[place] order by place) as memos, array_agg(p_times[place] order by place) as times
    from unnest(p_places) as place
  ) p, (
    select array_agg(array_position(p_places, posting) order by no) as postings, array_agg(place order by no) as places,
      array_agg(debit order by no) as debits, array_agg(credit order by no) as credits,
      array_agg(amount order by no) as amounts
    from unnest(p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts) with ordinality
      as leg(posting, place, debit, credit, amount, no)
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
