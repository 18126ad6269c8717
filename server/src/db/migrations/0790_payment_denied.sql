-- previous version: works
-- Where there are several nodes, each payment is agreed on. One that most nodes do not have keeps no sale of a loan away. The version before
-- agrees on large ones alone, and does not see this.
alter table chain_event add column denied_hash text check (denied_hash ~ '^0x[0-9a-f]{64}$');
comment on column chain_event.agreed_hash is 'Hash of the block in which most nodes have the payment; null while they were not asked, or do not agree. Not asked for where there is one node.';
comment on column chain_event.denied_hash is 'Hash of the block in which most nodes do not have the payment; null while none was found so.';

create or replace view chain_payment as
select e.id, e.tx_hash, e.tx_position, e.log_index, e.block_number, e.block_at, e.action, e.reference, e.asset, e.amount,
  e.payer, e.customer, e.confirmations_needed, e.state, e.outcome,
  greatest(0, least(
    coalesce((select followed from chain_cursor), 0) - e.block_number + 1, e.confirmations_needed
  ))::integer as confirmations,
  e.orphaned_at is not null as orphaned,
  e.state = 'recorded' and e.failures > 0 as failing,
  e.revenue_day, e.waits_for,
  coalesce(e.state = 'recorded' and e.denied_hash = e.block_hash, false) as denied
from chain_event e;
comment on column chain_payment.denied is 'Most nodes do not have it, so it is not credited.';
