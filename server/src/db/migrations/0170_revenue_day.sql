-- The day that a deposit of revenue is for is parsed once, when it is recorded. Nothing casts what a stranger wrote.
alter table chain_event add column revenue_day date;

-- What was recorded before: days near the block's own are compared as texts, which no reference can make fail.
update chain_event e set revenue_day = (
  select d::date
  from generate_series((e.block_at at time zone 'UTC')::date - 31, (e.block_at at time zone 'UTC')::date + 1, '1 day') as d
  where to_char(d, 'YYYY-MM-DD') = e.reference
)
where action = 'revenue' and asset = 'HASH';
-- Of what was credited already, the money is in the pool: a day far away becomes the nearest that is allowed.
update chain_event e set revenue_day = case
    when e.reference collate "C" < to_char(e.block_at at time zone 'UTC', 'YYYY-MM-DD') collate "C"
      then (e.block_at at time zone 'UTC')::date - 31
    else (e.block_at at time zone 'UTC')::date + 1
  end
where outcome = 'revenue' and revenue_day is null;

alter table chain_event add constraint chain_event_revenue_day_check check (outcome <> 'revenue' or revenue_day is not null);
create index chain_event_revenue_day on chain_event (revenue_day) where revenue_day is not null;

create or replace view chain_payment as
select e.id, e.tx_hash, e.tx_position, e.log_index, e.block_number, e.block_at, e.action, e.reference, e.asset, e.amount,
  e.payer, e.customer, e.confirmations_needed, e.state, e.outcome,
  greatest(0, least(
    coalesce((select followed from chain_cursor), 0) - e.block_number + 1, e.confirmations_needed
  ))::integer as confirmations,
  e.orphaned_at is not null as orphaned,
  e.state = 'recorded' and e.failures > 0 as failing,
  e.revenue_day
from chain_event e;

comment on column chain_event.revenue_day is
  'The UTC day that a deposit of revenue is for; null for what is no such deposit.';
comment on column chain_payment.revenue_day is
  'The UTC day that a deposit of revenue is for; null for what is no such deposit.';
