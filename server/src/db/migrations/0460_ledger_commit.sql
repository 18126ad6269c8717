-- previous version: works
-- Money commands that are one posting each, many in one statement and one transaction: a round trip where it were four.

-- Remembers each command under its member and request id, with the answer that it will get, and posts it. Answers for
-- each command, in their order:
--   0 posted now; -1, -2 or an account as of `ledger_post`: nothing is remembered;
--   -3 the request id is known, and nothing is posted; -4 another one's is: this one is to be sent again without that.
-- A request id that another transaction is remembering is waited for. No request id and no posting id may occur twice in a call.
create function ledger_commit(
  p_members bigint[], p_requests uuid[], p_inputs uuid[], p_results jsonb[], p_called timestamptz[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
declare
  v_first integer[];
  v_outcomes bigint[];
begin
  with claimed as (
    insert into request_log (member_id, request_key, input_key, result, created_at)
    select member_id, request_key, input_key, result, created_at
    from unnest(p_members, p_requests, p_inputs, p_results, p_called)
      as call(member_id, request_key, input_key, result, created_at)
    -- In one order, so that two batches that share ids never wait for each other in a circle.
    order by member_id, request_key
    on conflict (member_id, request_key) do nothing
    returning member_id, request_key
  )
  select array_agg(place) into v_first
  from claimed
  join unnest(p_members, p_requests) with ordinality as call(member_id, request_key, place) using (member_id, request_key);

  if cardinality(v_first) = cardinality(p_members) then
    v_outcomes := ledger_post(p_ids, p_kinds, p_memos, p_times,
      p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
  else
    v_outcomes := array(
      select case when place = any (v_first) then -4 else -3 end from generate_subscripts(p_members, 1) as place order by place);
  end if;

  if 0 <> any (v_outcomes) then
    delete from request_log r
    using unnest(p_members, p_requests, v_outcomes) as call(member_id, request_key, outcome)
    where call.outcome not in (0, -3) and r.member_id = call.member_id and r.request_key = call.request_key;
  end if;
  return v_outcomes;
end
$$;
