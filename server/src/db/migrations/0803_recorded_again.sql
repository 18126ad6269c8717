-- previous version: works
-- Whatever is written to chain_event, chain_uncredited has what is recorded: also what was credited before.
create or replace function chain_event_updated() returns trigger language plpgsql security definer
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
  delete from chain_uncredited u using new_rows n where u.id = n.id and n.state = 'credited';
  insert into chain_uncredited as u (id, block_number, log_index, payer, customer, waits_for, is_failing)
  select id, block_number, log_index, payer, customer, waits_for, failures > 0 from new_rows where state = 'recorded'
  on conflict (id) do update set block_number = excluded.block_number, log_index = excluded.log_index, payer = excluded.payer,
    customer = excluded.customer, waits_for = excluded.waits_for, is_failing = excluded.is_failing
  where u is distinct from excluded;
  return null;
end $$;
do $$
begin
  execute format('alter function chain_event_updated() set search_path = %I, pg_temp', current_schema());
end $$;
