-- Unannounced payments of a member in the order of their list, without looking at all of them.
alter table deposit_receipt add column at timestamptz;
update deposit_receipt r set at = e.block_at from chain_event e where e.id = r.chain_event_id;
alter table deposit_receipt alter column at set not null;
comment on column deposit_receipt.at is 'The time of the payment''s block.';
drop index deposit_receipt_member;
create index deposit_receipt_unannounced on deposit_receipt (member_id, at desc, chain_event_id desc)
  where deposit_id is null;
