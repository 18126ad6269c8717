-- previous version: works
-- The entries are kept in partitions by ranges of posting numbers, about ten million entries each. A new entry goes into the
-- index of its account at any place of it: in one index over everything each posting would read, and after each checkpoint
-- write whole, pages of an index that grows for ever; the index of one partition stays in memory. Older partitions get no entry any more.

create table ledger_partition (
  number        integer primary key,
  first_posting bigint  not null unique,
  -- Numbers of postings below the next part; of the last part, which has no end, the largest there is.
  beyond        bigint  not null unique,
  check (first_posting < beyond)
);
comment on table ledger_partition is 'Partitions of ledger_entry: ledger_entry_<number>. The last one has no end, so that there is a place for every posting.';
comment on column ledger_partition.first_posting is 'No posting in it has a lower number.';
comment on column ledger_partition.beyond is 'All postings in it have lower numbers.';

-- What is there becomes the first partition as it is: nothing is copied.
alter table ledger_entry rename to ledger_entry_1;
alter index ledger_entry_pkey rename to ledger_entry_1_pkey;
alter index ledger_entry_account rename to ledger_entry_1_account_kind_posting_line_idx;
create table ledger_entry (like ledger_entry_1) partition by range (posting);
alter table ledger_entry add primary key (posting, line);
create index ledger_entry_account on ledger_entry (account, kind, posting, line);
create trigger append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_is_append_only();
alter table ledger_entry enable always trigger append_only;
comment on table ledger_entry is 'Lines of postings. Amounts in base units.';
comment on column ledger_entry.kind is 'ledger_kind_code() of the posting''s kind.';
comment on column ledger_entry.amount is 'Signed: what the account gained.';
comment on column ledger_entry.balance is 'After this entry; null for rolled-up accounts.';

-- How the partitions and the other large tables of the journal are vacuumed. Nothing is ever updated or deleted in them, so
-- there is nothing to remove; what vacuum does is to mark pages as visible to all, for reads of an index alone, and to freeze
-- rows, once. By default it would come after a fifth of the table is new, ever more rarely and for longer.
create function ledger_keep_vacuumed(p_table regclass) returns void language plpgsql as
$$
begin
  execute format('alter table %s set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 500000, autovacuum_freeze_min_age = 0)', p_table);
end
$$;

-- Makes the last part, which has no end, end before p_beyond, and adds one without an end behind it. Quick while the last part is
-- empty; else its entries are read while nobody can post. Waits a fifth of a second at most for those who read or post now, because everybody else waits behind it: 55P03.
create function ledger_add_partition(p_beyond bigint) returns integer language plpgsql as
$$
declare
  v_last ledger_partition;
begin
  perform set_config('lock_timeout', '200ms', true);
  lock table ledger_entry in access exclusive mode;
  select * into strict v_last from ledger_partition order by number desc limit 1;
  if p_beyond <= v_last.first_posting then
    raise exception 'the last part begins at %', v_last.first_posting using errcode = 'data_exception';
  end if;
  execute format('alter table ledger_entry detach partition %I', 'ledger_entry_' || v_last.number);
  execute format('alter table ledger_entry attach partition %I for values from (%s) to (%s)',
    'ledger_entry_' || v_last.number, v_last.first_posting, p_beyond);
  update ledger_partition set beyond = p_beyond where number = v_last.number;
  perform ledger_make_partition(v_last.number + 1, p_beyond);
  return v_last.number + 1;
end
$$;

create function ledger_make_partition(p_number integer, p_first bigint) returns void language plpgsql as
$$
declare
  v_name text := 'ledger_entry_' || p_number;
begin
  execute format('create table %I partition of ledger_entry for values from (%s) to (maxvalue)', v_name, p_first);
  -- That of ledger_entry does not run for a statement that names the partition.
  execute format('create trigger append_only before update or delete or truncate on %I
    for each statement execute function ledger_is_append_only()', v_name);
  execute format('alter table %I enable always trigger append_only', v_name);
  perform ledger_keep_vacuumed(v_name::regclass);
  insert into ledger_partition (number, first_posting, beyond) values (p_number, p_first, 9223372036854775807);
end
$$;

-- How many entries a batch has is not known here, but to the task that adds parts: 25,000 of 400 entries are ten million, and a
-- part of smaller ones is only smaller.
do $$
declare
  v_batch bigint := (select case when is_called then last_value else 0 end from ledger_batch_seq);
  v_beyond bigint := (v_batch + 25000) * 16384;
begin
  execute format('alter table ledger_entry attach partition ledger_entry_1 for values from (minvalue) to (%s)', v_beyond);
  insert into ledger_partition (number, first_posting, beyond) values (1, 0, v_beyond);
  perform ledger_keep_vacuumed('ledger_entry_1');
  perform ledger_make_partition(2, v_beyond);
  perform ledger_add_partition(v_beyond + 25000 * 16384::bigint);
end $$;

select ledger_keep_vacuumed('ledger_posting');
-- Written with each posting and emptied every few seconds: what was there is removed early, or the next reading passes over it.
alter table ledger_delta set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- Each posting updates some rows of it, and these stay on their pages. What they were before is mostly removed by the next update of the page;
-- vacuum is for pages that nobody updates again, and comes after a fiftieth has changed.
alter table ledger_account set (autovacuum_vacuum_scale_factor = 0.02);

-- The newest entries of some accounts and kinds that stand before a place and not below a posting, in one timeline. From
-- one part to the one before, until there are enough: an active account's are all in the newest. In a part, accounts without an
-- entry in it are left out by one look into the index. Each account's entries of one kind are a range of the index in their order; of each
-- range as many are read as are wanted in all, and only those that are shown are fetched. Ranges are given as rows and in the whole
-- order of the index, and what is fetched by both columns of its key, so that there is no other plan: while a part is new, Postgres would take it
-- for small and read it by its other index, and it would read all lines of a posting for one of them.
create or replace function ledger_newest(
  p_accounts bigint[], p_kinds text[], p_before_posting bigint, p_before_line integer, p_from bigint, p_limit integer
) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_part record;
  v_left integer := p_limit;
  v_found integer;
begin
  for v_part in
    select part.first_posting as lowest, part.beyond from ledger_partition part
    where part.first_posting <= p_before_posting and part.beyond > p_from order by part.first_posting desc
  loop
    return query
    select e.account, e.amount, e.balance, newest.posting, newest.line, p.id, p.kind, p.memo, p.occurred_at
    from (
      select place.posting, place.line
      from (
        select a.account from unnest(p_accounts) as a(account)
        cross join lateral (
          select from ledger_entry x
          where x.account between a.account and a.account and x.posting >= v_part.lowest and x.posting < v_part.beyond
          order by x.account, x.kind, x.posting, x.line limit 1
        ) any_entry
      ) as a
      cross join (select ledger_kind_code(name) as code from unnest(p_kinds) as name) as k
      cross join lateral (
        select n.posting, n.line from ledger_entry n
        where (n.account, n.kind, n.posting, n.line) >= (a.account, k.code, greatest(p_from, v_part.lowest), 0)
          and (n.account, n.kind, n.posting, n.line) < (a.account, k.code, p_before_posting, p_before_line)
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
      select p.id, p.kind, p.memo, p.occurred_at from ledger_posting p where p.seq = newest.posting offset 0
    ) p
    order by newest.posting desc, newest.line desc;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;

-- The next entries of one account and some kinds after a posting, oldest first, in the same way.
create or replace function ledger_next(p_account bigint, p_kinds text[], p_after bigint, p_limit integer) returns table (
  account bigint, amount numeric, balance numeric, posting bigint, line integer,
  "postingId" uuid, kind text, memo jsonb, "occurredAt" timestamptz
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
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
    select e.account, e.amount, e.balance, next.posting, next.line, p.id, p.kind, p.memo, p.occurred_at
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
      select p.id, p.kind, p.memo, p.occurred_at from ledger_posting p where p.seq = next.posting offset 0
    ) p
    order by next.posting, next.line;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;

-- The last entry of each account up to a posting, of accounts that have one: from the newest part on to older ones, for the
-- accounts that were not found yet. In a part, the kinds that an account has are walked in the index, and of each the last entry is looked
-- at: a long history costs nothing.
create function ledger_last_entries(p_accounts bigint[], p_upto bigint) returns table (
  account bigint, balance numeric, version bigint
) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_part record;
  v_accounts bigint[] := p_accounts;
  v_found bigint[];
  v_balances numeric[];
  v_versions bigint[];
begin
  for v_part in
    select part.first_posting as lowest, part.beyond from ledger_partition part
    where part.first_posting <= p_upto order by part.first_posting desc
  loop
    exit when cardinality(v_accounts) = 0;
    select array_agg(last.account), array_agg(e.balance), array_agg(e.version)
    into v_found, v_balances, v_versions
    from (
      select a.account, place.posting, place.line
      from unnest(v_accounts) as a(account)
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
        select place.posting, place.line from kinds cross join lateral (
          select n.posting, n.line from ledger_entry n
          where (n.account, n.kind, n.posting) >= (a.account, kinds.kind, v_part.lowest)
            and (n.account, n.kind, n.posting) <= (a.account, kinds.kind, p_upto)
            and n.posting >= v_part.lowest and n.posting < v_part.beyond
          order by n.account desc, n.kind desc, n.posting desc, n.line desc limit 1
        ) place
        order by place.posting desc, place.line desc limit 1
      ) place
    ) last
    cross join lateral (
      select e.balance, e.version from ledger_entry e
      where e.posting = last.posting and e.line = last.line and e.posting >= v_part.lowest and e.posting < v_part.beyond
      offset 0
    ) e;
    if v_found is not null then
      return query select * from unnest(v_found, v_balances, v_versions);
      v_accounts := array(select unnest(v_accounts) except select unnest(v_found));
    end if;
  end loop;
end
$$;
