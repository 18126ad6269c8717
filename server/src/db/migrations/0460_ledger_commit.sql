-- previous version: works
-- Money commands of one posting each: many of them in one statement and one round trip, instead of four.

-- `ledger_post` of the postings at the given places alone. Answers for those, in their order.
create function ledger_post_some(
  p_places integer[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language sql as
$$
  select ledger_post(p.ids, p.kinds, p.memos, p.times, l.postings, l.places, l.debits, l.credits, l.amounts)
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

-- Remembers each command under its member and request id, with the answer that it will get, and posts it. Answers for
-- each command, in their order:
--   0 posted now; -1, -2 or an account as of `ledger_post`: nothing is remembered;
--   -3 the request id is known, and nothing is posted.
-- A request id that another transaction is remembering is waited for. No request id and no posting id may occur twice in a call.
create function ledger_commit(
  p_members bigint[], p_requests uuid[], p_inputs uuid[], p_results jsonb[], p_called timestamptz[],
  p_ids uuid[], p_kinds text[], p_memos jsonb[], p_times timestamptz[],
  p_leg_posting integer[], p_leg_place integer[], p_debits bigint[], p_credits bigint[], p_amounts numeric[]
) returns bigint[] language plpgsql as
$$
declare
  v_first integer[];
  v_posted bigint[];
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
  select array_agg(place order by place) into v_first
  from claimed
  join unnest(p_members, p_requests) with ordinality as call(member_id, request_key, place) using (member_id, request_key);

  if cardinality(v_first) = cardinality(p_members) then
    v_outcomes := ledger_post(p_ids, p_kinds, p_memos, p_times,
      p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
  else
    v_outcomes := array_fill(-3::bigint, array[cardinality(p_members)]);
    if v_first is not null then
      v_posted := ledger_post_some(v_first, p_ids, p_kinds, p_memos, p_times,
        p_leg_posting, p_leg_place, p_debits, p_credits, p_amounts);
      for v_place in 1 .. cardinality(v_first) loop
        v_outcomes[v_first[v_place]] := v_posted[v_place];
      end loop;
    end if;
  end if;

  if 0 <> any (v_outcomes) then
    delete from request_log r
    using unnest(p_members, p_requests, v_outcomes) as call(member_id, request_key, outcome)
    where call.outcome not in (0, -3) and r.member_id = call.member_id and r.request_key = call.request_key;
  end if;
  return v_outcomes;
end
$$;
