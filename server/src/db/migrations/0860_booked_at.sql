-- previous version: works
-- A posting is booked when it is recorded, whatever time it tells. Booking times order, cut and sum statements; the time that a posting
-- tells (that of its block) is its value date.

-- The database's clock. A test replaces it.
create function ledger_clock() returns timestamptz language sql volatile return clock_timestamp();

-- Microseconds since 1970. Nothing is booked earlier from then on, also where the clock of another machine is behind.
create sequence ledger_booked_seq as bigint;

alter table ledger_posting add column booked_at timestamptz;
-- The default counts while the accounts are locked, since each of the functions that post numbers its postings behind the locks: along
-- an account the times rise with the numbers.
alter table ledger_posting alter column booked_at set default
  greatest(ledger_clock(), to_timestamp(pg_sequence_last_value('ledger_booked_seq'::regclass) / 1000000.0));
comment on column ledger_posting.booked_at is 'When it was recorded, by the database''s clock; null before that was kept, where occurred_at counts.';

alter table ledger_day_mark add column booked_counted bigint, add column next_final timestamptz, add column final_before timestamptz;
update ledger_day_mark set booked_counted = counted;
alter table ledger_day_mark alter column booked_counted set not null;
comment on table ledger_day is 'The first and the last posting of each day, by the time that postings tell and by that of booking.';
comment on column ledger_day_mark.counted is 'As booked_counted, for the version before, which counts no booking times.';
comment on column ledger_day_mark.booked_counted is 'Every posting up to this one is counted.';
comment on column ledger_day_mark.next_final is 'What final_before becomes once all transactions before next_after have ended.';
comment on column ledger_day_mark.final_before is 'Everything that is booked before it can be seen: a period that ends by then changes no more. Null: not known yet.';

-- The time now, before which nothing is booked any more by transactions that have no number yet.
create function ledger_note_time() returns timestamptz language plpgsql security definer as
$$
declare
  v_now constant timestamptz := greatest(ledger_clock(), to_timestamp(pg_sequence_last_value('ledger_booked_seq'::regclass) / 1000000.0));
begin
  perform setval('ledger_booked_seq', (extract(epoch from v_now) * 1000000)::bigint);
  return v_now;
end
$$;

-- As before, with the times of booking; a posting that has none has the same digest as ever.
create or replace function ledger_digest(p_before text, p_above bigint, p_upto bigint) returns text language sql stable as
$$
  select encode(sha256(convert_to(concat(
    p_before, E'\n',
    (select string_agg(concat_ws('|', seq, id, kind, memo, extract(epoch from occurred_at), extract(epoch from booked_at)), E'\n' order by seq)
      from ledger_posting where seq > p_above and seq <= p_upto),
    E'\n\n',
    (select string_agg(concat_ws('|', posting, line, account, amount, coalesce(balance::text, '-'), coalesce(version::text, '-')),
        E'\n' order by posting, line)
      from ledger_entry where posting > p_above and posting <= p_upto)
  ), 'UTF8')), 'hex')
$$;

-- As before, with the time of booking.
drop function ledger_newest(bigint[], text[], bigint, integer, bigint, integer);
-- The newest entries of some accounts and kinds that stand before a place and not below a posting, in one timeline. From
-- one part to the one before, until there are enough: an active account's are all in the newest. In a part, an account's entries of one
-- kind are a range of the index in their order, a list. Which lists there are is found by one look for each; an account without an entry costs one look.
-- Of many lists the newest few are read first, twice as many in all as are wanted: the last one that these would show is a bound below which
-- nothing can be on the page, so that few entries are read of most lists. Only those that are shown are fetched. Ranges are given as rows and in the whole
-- order of the index, and what is fetched by both columns of its key, so that there is no other plan: while a part is new, Postgres would take it
-- for small and read it by its other index, and it would read all lines of a posting for one of them.
create function ledger_newest(
  p_accounts bigint[], p_kinds text[], p_before_posting bigint, p_before_line integer, p_from bigint, p_limit integer
) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz, "bookedAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  v_kinds constant integer[] := array(select ledger_kind_code(name) from unnest(p_kinds) as name);
  v_part record;
  v_accounts bigint[];
  v_codes integer[];
  v_from bigint;
  v_few integer;
  v_left integer := p_limit;
  v_found integer;
begin
  for v_part in
    select part.first_posting as lowest, part.beyond from ledger_partition part
    where part.first_posting <= p_before_posting and part.beyond > p_from order by part.first_posting desc
  loop
    if cardinality(v_kinds) = 1 then
      select array_agg(a.account), array_agg(v_kinds[1]) into v_accounts, v_codes
      from unnest(p_accounts) as a(account)
      cross join lateral (
        select from ledger_entry n
        where n.account between a.account and a.account and n.posting >= v_part.lowest and n.posting < v_part.beyond
        order by n.account, n.kind, n.posting, n.line limit 1
      ) any_entry;
    else
      select array_agg(a.account), array_agg(list.kind) into v_accounts, v_codes
      from unnest(p_accounts) as a(account)
      cross join lateral (
        with recursive kinds as (
          (select n.kind from ledger_entry n
            where n.account between a.account and a.account and n.posting >= v_part.lowest and n.posting < v_part.beyond
            order by n.account, n.kind, n.posting, n.line limit 1)
          union all
          select (select n.kind from ledger_entry n
            where (n.account, n.kind) > (a.account, kinds.kind) and n.account <= a.account
              and n.posting >= v_part.lowest and n.posting < v_part.beyond
            order by n.account, n.kind, n.posting, n.line limit 1)
          from kinds where kinds.kind is not null
        )
        select kinds.kind from kinds where kinds.kind = any(v_kinds)
      ) list;
    end if;
    continue when v_accounts is null;

    v_from := greatest(p_from, v_part.lowest);
    v_few := 2 * v_left / cardinality(v_accounts) + 1;
    if v_few < v_left then
      select coalesce(max(bound.posting), v_from) into v_from
      from (
        select first.posting
        from unnest(v_accounts, v_codes) as list(account, kind)
        cross join lateral (
          select n.posting from ledger_entry n
          where (n.account, n.kind, n.posting, n.line) >= (list.account, list.kind, v_from, 0)
            and (n.account, n.kind, n.posting, n.line) < (list.account, list.kind, p_before_posting, p_before_line)
            and n.posting >= v_part.lowest and n.posting < v_part.beyond
          order by n.account desc, n.kind desc, n.posting desc, n.line desc limit v_few
        ) first
        order by first.posting desc offset v_left - 1 limit 1
      ) bound;
    end if;

    return query
    select e.account, e.amount, e.balance, newest.posting, newest.line, p.id, p.kind, p.memo, p.occurred_at, coalesce(p.booked_at, p.occurred_at)
    from (
      select place.posting, place.line
      from unnest(v_accounts, v_codes) as list(account, kind)
      cross join lateral (
        select n.posting, n.line from ledger_entry n
        where (n.account, n.kind, n.posting, n.line) >= (list.account, list.kind, v_from, 0)
          and (n.account, n.kind, n.posting, n.line) < (list.account, list.kind, p_before_posting, p_before_line)
          and n.posting >= v_part.lowest and n.posting < v_part.beyond
        order by n.account desc, n.kind desc, n.posting desc, n.line desc limit v_left
      ) place
      order by place.posting desc, place.line desc limit v_left
    ) newest
    cross join lateral (
      select e.account, e.amount, e.balance from ledger_entry e
      where e.posting = newest.posting and e.line = newest.line and e.posting >= v_part.lowest and e.posting < v_part.beyond
      offset 0
    ) e
    cross join lateral (
      select p.id, p.kind, p.memo, p.occurred_at, p.booked_at from ledger_posting p where p.seq = newest.posting offset 0
    ) p
    order by newest.posting desc, newest.line desc;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;

-- The next entries of one account and some kinds after a posting, oldest first, in the same way.
drop function ledger_next(bigint, text[], bigint, integer);
create function ledger_next(p_account bigint, p_kinds text[], p_after bigint, p_limit integer) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz, "bookedAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  v_part record;
  v_left integer := p_limit;
  v_found integer;
begin
  for v_part in
    select part.first_posting as lowest, part.beyond from ledger_partition part
    where part.beyond > p_after order by part.first_posting
  loop
    return query
    select e.account, e.amount, e.balance, next.posting, next.line, p.id, p.kind, p.memo, p.occurred_at, coalesce(p.booked_at, p.occurred_at)
    from (
      select place.posting, place.line
      from (select ledger_kind_code(name) as code from unnest(p_kinds) as name) as k
      cross join lateral (
        select n.posting, n.line from ledger_entry n
        where (n.account, n.kind, n.posting) > (p_account, k.code, p_after)
          and (n.account, n.kind, n.posting) < (p_account, k.code, v_part.beyond)
          and n.posting >= v_part.lowest and n.posting < v_part.beyond
        order by n.account, n.kind, n.posting, n.line limit v_left
      ) place
      order by place.posting, place.line limit v_left
    ) next
    cross join lateral (
      select e.account, e.amount, e.balance from ledger_entry e
      where e.posting = next.posting and e.line = next.line and e.posting >= v_part.lowest and e.posting < v_part.beyond
      offset 0
    ) e
    cross join lateral (
      select p.id, p.kind, p.memo, p.occurred_at, p.booked_at from ledger_posting p where p.seq = next.posting offset 0
    ) p
    order by next.posting, next.line;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;

do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_proc p where p.pronamespace = current_schema()::regnamespace
      and p.proname in ('ledger_note_time', 'ledger_digest', 'ledger_newest', 'ledger_next')
  loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
  end loop;
end $$;
