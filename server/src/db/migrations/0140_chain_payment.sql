-- What modules may know of the gateway's recorded logs: the state and the confirmations of a payment are derived here
-- and nowhere else. A view of one table, so that a condition on its columns still uses the indexes of chain_event, and
-- a row of it can be locked.
create view chain_payment as
select e.id, e.tx_hash, e.tx_position, e.log_index, e.block_number, e.block_at, e.action, e.reference, e.asset, e.amount,
  e.payer, e.customer, e.confirmations_needed, e.state, e.outcome,
  -- Counted from the last followed block, the payment's own block being the first; at most what it needs.
  greatest(0, least(
    coalesce((select followed from chain_cursor), 0) - e.block_number + 1, e.confirmations_needed
  ))::integer as confirmations,
  e.orphaned_at is not null as orphaned,
  e.state = 'recorded' and e.failures > 0 as failing
from chain_event e;
