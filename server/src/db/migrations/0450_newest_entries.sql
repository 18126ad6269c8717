-- previous version: works
-- A page of a statement reads few entries of most lists: what it costs follows from what it shows, and not from how many of the lists
-- are long.

-- The newest entries of some accounts and kinds that stand before a place and not below a posting, in one timeline. From
-- one part to the one before, until there are enough: an active account's are all in the newest. In a part, an account's entries of one
-- kind are a range of the index in their order, a list. Which lists there are is found by one look for each; an account without an entry costs one look.
-- Of many lists the newest few are read first, twice as many in all as are wanted: the last one that these would show is a bound below which
-- nothing can be on the page, so that few entries are read of most lists. Only those that are shown are fetched. Ranges are given as rows and in the whole
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
    select e.account, e.amount, e.balance, newest.posting, newest.line, p.id, p.kind, p.memo, p.occurred_at
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
      select p.id, p.kind, p.memo, p.occurred_at from ledger_posting p where p.seq = newest.posting offset 0
    ) p
    order by newest.posting desc, newest.line desc;
    get diagnostics v_found = row_count;
    v_left := v_left - v_found;
    exit when v_left <= 0;
  end loop;
end
$$;
