-- previous version: works from 0450 on
-- How many transfers a member has made today is counted for many members in one statement, without reading what was in them.

-- For each account, in their order: how many of its entries took something from it at or after its time. Read are only its p_newest
-- newest entries of the kind whose posting number is at least p_from. Ranges are given as rows and no other plan is left, as in
-- `ledger_newest`.
create function ledger_spent_count(
  p_accounts bigint[], p_since timestamptz[], p_kind text, p_from bigint, p_newest integer
) returns table (account bigint, spent bigint) language plpgsql stable
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_kind constant integer := ledger_kind_code(p_kind);
begin
  return query
  select asked.account, (
    select count(*)
    from (
      select n.posting, n.amount from ledger_entry n
      where (n.account, n.kind, n.posting, n.line) >= (asked.account, v_kind, p_from, 0)
        and (n.account, n.kind) <= (asked.account, v_kind) and n.posting >= p_from
      order by n.account desc, n.kind desc, n.posting desc, n.line desc limit p_newest
    ) newest
    join ledger_posting p on p.seq = newest.posting
    -- Two kinds may have one code, so the kind itself is compared too.
    where newest.amount < 0 and p.kind = p_kind and p.occurred_at >= asked.since
  )
  from unnest(p_accounts, p_since) with ordinality as asked(account, since, place)
  order by asked.place;
end
$$;
