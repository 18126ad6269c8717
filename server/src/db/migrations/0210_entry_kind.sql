-- Entries carry the kind of their posting, so that a statement of some kinds reads these and no others, however many
-- entries its account has. The one index of an account's entries has the kind in front of the place: another index would
-- cost every posting. The table is written anew, because the kind fits where four bytes of each row were left empty.

-- Kinds in four bytes, for an index. Two kinds of one code would only be read in vain: who reads compares the kind too.
create function ledger_kind_code(kind text) returns integer language sql immutable strict parallel safe as
$$ select ('x' || left(md5(kind), 8))::bit(32)::integer $$;

alter table ledger_entry rename to ledger_entry_without_kind;
alter index ledger_entry_pkey rename to ledger_entry_without_kind_pkey;
create table ledger_entry (
  posting bigint not null,
  line    integer not null,
  kind    integer not null,
  account bigint not null,
  amount  numeric(100, 0) not null,
  balance numeric(100, 0),
  version bigint
);
insert into ledger_entry (posting, line, kind, account, amount, balance, version)
select e.posting, e.line, ledger_kind_code(p.kind), e.account, e.amount, e.balance, e.version
from ledger_entry_without_kind e join ledger_posting p on p.seq = e.posting
order by e.posting, e.line;
drop table ledger_entry_without_kind;
alter table ledger_entry add primary key (posting, line);
create index ledger_entry_account on ledger_entry (account, kind, posting, line);
create trigger append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_is_append_only();
alter table ledger_entry enable always trigger append_only;
comment on table ledger_entry is 'Lines of postings. Amounts in base units.';
comment on column ledger_entry.kind is 'ledger_kind_code() of the posting''s kind.';
comment on column ledger_entry.amount is 'Signed: what the account gained.';
comment on column ledger_entry.balance is 'After this entry; null for rolled-up accounts.';

-- As before, with the kind of each entry.
create or replace function ledger_apply(
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns void language plpgsql set enable_hashjoin = off as
$$
declare
  v_kinds integer[];
  v_dipped boolean;
  v_missing boolean;
  v_broken boolean;
begin
  select array_agg(ledger_kind_code(kind) order by no) into v_kinds
  from unnest(p_kinds) with ordinality as k(kind, no);

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
    insert into ledger_entry (posting, line, kind, account, amount, balance, version)
    select gate.base + line.posting, line.line, v_kinds[line.posting], line.account, line.gain,
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

-- As before, with the kind of each entry.
create or replace function ledger_share(
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
  insert into ledger_entry (posting, line, kind, account, amount, balance, version)
  select gate.seq, 1, ledger_kind_code(p_kind), p_debit, -v_total, v_balance, v_version from gate
  union all
  select gate.seq, 1 + line.no, ledger_kind_code(p_kind), line.account, line.amount, moved.balance, moved.version
  from gate cross join line join moved on moved.id = line.account;
  return v_total;
end
$$;

-- The newest entries of some accounts and kinds that stand before a place and not below a posting, in one timeline. Each
-- account's entries of one kind are a range of the index in their order; of each range as many are read as are wanted in
-- all, and only those that are shown are fetched. The settings make this the only plan: by estimates, Postgres would
-- sometimes read and sort everything that an account has.
create function ledger_newest(
  p_accounts bigint[], p_kinds text[], p_before_posting bigint, p_before_line integer, p_from bigint, p_limit integer
) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select e.account, e.amount, e.balance, e.posting, e.line, p.id, p.kind, p.memo, p.occurred_at
  from (
    select place.posting, place.line
    from unnest(p_accounts) as a(account)
    cross join (select ledger_kind_code(name) as code from unnest(p_kinds) as name) as k
    cross join lateral (
      select n.posting, n.line from ledger_entry n
      where n.account = a.account and n.kind = k.code
        and (n.posting, n.line) < (p_before_posting, p_before_line) and n.posting >= p_from
      order by n.posting desc, n.line desc limit p_limit
    ) place
    order by place.posting desc, place.line desc limit p_limit
  ) newest
  join ledger_entry e on e.posting = newest.posting and e.line = newest.line
  join ledger_posting p on p.seq = newest.posting
  order by newest.posting desc, newest.line desc;
end
$$;

-- The next entries of one account and some kinds after a posting, oldest first, in the same way.
create function ledger_next(p_account bigint, p_kinds text[], p_after bigint, p_limit integer) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select e.account, e.amount, e.balance, e.posting, e.line, p.id, p.kind, p.memo, p.occurred_at
  from (
    select place.posting, place.line
    from (select ledger_kind_code(name) as code from unnest(p_kinds) as name) as k
    cross join lateral (
      select n.posting, n.line from ledger_entry n
      where n.account = p_account and n.kind = k.code and n.posting > p_after
      order by n.posting, n.line limit p_limit
    ) place
    order by place.posting, place.line limit p_limit
  ) next
  join ledger_entry e on e.posting = next.posting and e.line = next.line
  join ledger_posting p on p.seq = next.posting
  order by next.posting, next.line;
end
$$;
