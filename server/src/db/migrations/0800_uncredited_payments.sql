-- previous version: works
-- What is recorded and not credited is found by a small table of its own. The six indexes of chain_event that found it have the state in
-- their condition, so that crediting a payment wrote it to every index of the table once more. They are dropped one version later: the
-- version before this one reads them. Triggers keep the table, so that it is true whichever version writes chain_event.
create table chain_uncredited (
  id           bigint  primary key,
  block_number bigint  not null,
  log_index    integer not null,
  payer        text    not null,
  customer     text    not null,
  waits_for    date,
  is_failing   bool    not null
);
comment on table chain_uncredited is 'The events of chain_event that are recorded and not credited. Written by its triggers alone. Modules read the view uncredited_payment.';
comment on column chain_uncredited.id is 'chain_event.id of the payment.';
comment on column chain_uncredited.is_failing is 'Could not be settled, and is tried again.';

create function chain_event_inserted() returns trigger language plpgsql security definer as $$
begin
  insert into chain_uncredited (id, block_number, log_index, payer, customer, waits_for, is_failing)
  select id, block_number, log_index, payer, customer, waits_for, failures > 0 from new_rows where state = 'recorded';
  return null;
end $$;

-- A recorded event changes in what is compared here alone. A credited one stays credited.
create function chain_event_updated() returns trigger language plpgsql security definer
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
  delete from chain_uncredited u using new_rows n where u.id = n.id and n.state = 'credited';
  update chain_uncredited u set waits_for = n.waits_for, is_failing = n.failures > 0
  from new_rows n
  where u.id = n.id and (u.waits_for is distinct from n.waits_for or u.is_failing <> (n.failures > 0));
  return null;
end $$;

create function chain_event_deleted() returns trigger language plpgsql security definer
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
  delete from chain_uncredited u using old_rows o where u.id = o.id;
  return null;
end $$;

do $$
declare
  v_function regprocedure;
begin
  for v_function in select oid from pg_proc where proname in ('chain_event_inserted', 'chain_event_updated', 'chain_event_deleted')
    and pronamespace = current_schema()::regnamespace
  loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function, current_schema());
  end loop;
end $$;

create trigger chain_event_inserted after insert on chain_event
  referencing new table as new_rows for each statement execute function chain_event_inserted();
create trigger chain_event_updated after update on chain_event
  referencing new table as new_rows for each statement execute function chain_event_updated();
create trigger chain_event_deleted after delete on chain_event
  referencing old table as old_rows for each statement execute function chain_event_deleted();

insert into chain_uncredited (id, block_number, log_index, payer, customer, waits_for, is_failing)
select id, block_number, log_index, payer, customer, waits_for, failures > 0 from chain_event where state = 'recorded';
create index chain_uncredited_due on chain_uncredited (block_number, log_index) where waits_for is null;
create index chain_uncredited_waits on chain_uncredited (waits_for) where waits_for is not null;
create index chain_uncredited_failing on chain_uncredited (id) where is_failing;
create index chain_uncredited_payer on chain_uncredited (payer);
create index chain_uncredited_customer on chain_uncredited (customer);

-- The offset keeps this a look at the key of chain_event for each row: how many rows a queue has is often estimated wrongly, and a plan for
-- many would read all payments.
create view uncredited_payment as
select u.id, e.tx_hash, e.tx_position, u.log_index, u.block_number, e.block_at, e.action, e.reference, e.asset, e.amount,
  u.payer, u.customer, e.confirmations_needed,
  greatest(0, least(
    coalesce((select followed from chain_cursor), 0) - u.block_number + 1, e.confirmations_needed
  ))::integer as confirmations,
  u.is_failing as failing, e.revenue_day, u.waits_for
from chain_uncredited u
cross join lateral (select * from chain_event where id = u.id offset 0) e;
comment on view uncredited_payment is 'What chain_payment has of the payments that are recorded and not credited, found without reading the others.';

create or replace view foreign_payout as
select e.id, e.reference as payout_id, e.tx_hash, e.block_number, e.asset, e.amount, e.customer as to_address
from uncredited_payment e
where e.action = 'paid' and not exists (
  select from withdrawal w
  where w.payout_id = e.reference and w.asset = e.asset and w.payout_amount = e.amount and w.to_address = e.customer
    and w.state in ('queued', 'sending', 'done'));

-- Columns mean what those of the table or view mean that has all payments.
do $$
declare
  v_column record;
begin
  for v_column in
    select c.relname as in_table, a.attname as name, col_description(b.attrelid, b.attnum) as comment
    from (values ('chain_uncredited', 'chain_event'), ('uncredited_payment', 'chain_payment')) of_all (name, wider)
    join pg_class c on c.relname = of_all.name and c.relnamespace = current_schema()::regnamespace
    join pg_class w on w.relname = of_all.wider and w.relnamespace = current_schema()::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and col_description(c.oid, a.attnum) is null
    join pg_attribute b on b.attrelid = w.oid and b.attname = a.attname
  loop
    execute format('comment on column %I.%I is %L', v_column.in_table, v_column.name, v_column.comment);
  end loop;
end $$;
