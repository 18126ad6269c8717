-- previous version: works
-- An account that does not own the ledger can post to it, and do nothing else to it: these functions act with the owner's rights.

-- Waits until nobody posts, and keeps it so until the transaction ends.
create function ledger_hold_postings() returns void language plpgsql as
$$ begin lock table ledger_posting in share mode; end $$;

do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.proname in (
      'ledger_post', 'ledger_share', 'ledger_collect', 'ledger_roll_up', 'ledger_add_partition', 'ledger_hold_postings')
  loop
    execute format('alter function %s security definer', v_function);
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
    execute format('revoke execute on function %s from public', v_function);
  end loop;
end $$;
