-- previous version: works
-- Payments out that are no withdrawal of ours: somebody else has the payer's key, or a backup was restored.
create view foreign_payout as
select e.id, e.reference as payout_id, e.tx_hash, e.block_number, e.asset, e.amount, e.customer as to_address
from chain_event e
where e.action = 'paid' and e.state = 'recorded' and not exists (
  select from withdrawal w
  where w.payout_id = e.reference and w.asset = e.asset and w.payout_amount = e.amount and w.to_address = e.customer
    and w.state in ('queued', 'sending', 'done'));
comment on view foreign_payout is 'Payments out of recorded blocks that are no withdrawal of ours and that nobody has explained. Amounts in base units.';
