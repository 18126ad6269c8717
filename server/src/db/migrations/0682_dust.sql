-- previous version: works
-- Payments of less than a step are booked in one sum per recipient, asset and UTC day: the first three of a day by themselves. The version
-- before credits each by itself.
alter table chain_event add column waits_for date;
comment on column chain_event.waits_for is 'The UTC day with whose sum it is booked; null for what is credited by itself.';
create index chain_event_due on chain_event (block_number, log_index) where state = 'recorded' and waits_for is null;
create index chain_event_waits on chain_event (waits_for) where state = 'recorded' and waits_for is not null;

create or replace view chain_payment as
select e.id, e.tx_hash, e.tx_position, e.log_index, e.block_number, e.block_at, e.action, e.reference, e.asset, e.amount,
  e.payer, e.customer, e.confirmations_needed, e.state, e.outcome,
  greatest(0, least(
    coalesce((select followed from chain_cursor), 0) - e.block_number + 1, e.confirmations_needed
  ))::integer as confirmations,
  e.orphaned_at is not null as orphaned,
  e.state = 'recorded' and e.failures > 0 as failing,
  e.revenue_day, e.waits_for
from chain_event e;
comment on column chain_payment.waits_for is 'The UTC day with whose sum it is booked; null for what is credited by itself.';

create table dust_payment (
  tx_hash     text    not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  tx_position integer not null check (tx_position >= 0),
  member_id   bigint  references member (id),
  asset       text    not null check (asset in ('JU', 'USDT', 'HASH')),
  amount      numeric(78, 0) not null check (amount > 0 and amount <> 'NaN'),
  day         date    not null,
  posting_id  uuid,
  is_single   bool    not null,
  primary key (tx_hash, tx_position),
  check (not is_single or posting_id is not null)
);
comment on table dust_payment is 'Payments of less than a step, and by which posting each was booked. Kept by what the chain says, so that it outlives our records of the chain.';
comment on column dust_payment.member_id is 'Whose balance it is for; null for suspense.';
comment on column dust_payment.amount is 'Base units.';
comment on column dust_payment.day is 'The UTC day of its block.';
comment on column dust_payment.posting_id is 'Of the ledger; null while it waits for the sum of its day.';
comment on column dust_payment.is_single is 'It was among the first of the day, and booked by itself.';
create index dust_payment_single on dust_payment (coalesce(member_id, 0), asset, day) where is_single;
create index dust_payment_sum on dust_payment (posting_id, tx_hash, tx_position) where not is_single;

create table dust_sum (
  posting_id uuid    primary key,
  member_id  bigint  references member (id),
  asset      text    not null check (asset in ('JU', 'USDT', 'HASH')),
  amount     numeric(78, 0) not null check (amount > 0 and amount <> 'NaN'),
  payments   integer not null check (payments > 0),
  day        date    not null,
  given_at   timestamptz,
  check (given_at is null or member_id is null)
);
comment on table dust_sum is 'What was booked of dust in one sum of a recipient, asset and UTC day; its payments are in dust_payment.';
comment on column dust_sum.member_id is 'Whose balance it went to; null for suspense.';
comment on column dust_sum.amount is 'Base units.';
comment on column dust_sum.given_at is 'When an operator gave it out of suspense.';
create index dust_sum_member on dust_sum (member_id, asset, day);
create index dust_sum_suspense on dust_sum (day) where member_id is null and given_at is null;
