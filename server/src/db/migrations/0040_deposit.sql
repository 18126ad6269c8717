-- Deposits that a member has announced, and the payments that went to members' balances.

-- What an announcement has come to is not stored: it follows from the chain's events and from deposit_receipt, so a
-- reorganisation undoes it by itself.
create table deposit (
  id         bigint primary key generated always as identity,
  deposit_no text   not null unique check (deposit_no ~ '^[0-9A-Z]{8,32}$'),
  member_id  bigint not null references member (id),
  asset      text   not null,
  -- What was announced, in base units; what came is in the event.
  amount     numeric(78, 0) not null check (amount > 0),
  created_at timestamptz not null,
  lapses_at  timestamptz not null check (lapses_at > created_at)
);
create index deposit_member on deposit (member_id, created_at desc, id desc);

-- One row for each credited payment that ended on a balance, written with the credit. It says whose balance it was, also
-- when an address that was nobody's then is a member's now.
create table deposit_receipt (
  -- It goes with its event: when what we know of the chain is thrown away and read again, both are written again.
  chain_event_id bigint primary key references chain_event (id) on delete cascade,
  member_id      bigint not null references member (id),
  -- The announcement that this payment fulfilled; null when there was none.
  deposit_id     bigint unique references deposit (id)
);
create index deposit_receipt_member on deposit_receipt (member_id);

-- Payments that nobody has credited yet, by whom they may concern.
create index chain_event_waiting_customer on chain_event (customer) where state = 'recorded';
create index chain_event_waiting_payer on chain_event (payer) where state = 'recorded';

-- What was credited before this table existed: the posting's id is a name-based UUID of the payment's key, and its second
-- entry is the balance that got the money.
insert into deposit_receipt (chain_event_id, member_id)
select e.id, n.account / 100000
from (
  select id, substring(sha256(convert_to('chain:210000:' || tx_hash || ':' || tx_position || ':0', 'UTF8')) for 16) as h
  from chain_event where state = 'credited' and outcome = 'balance'
) e
join ledger_posting p
  on p.id = encode(set_byte(set_byte(h, 6, (get_byte(h, 6) & 15) | 128), 8, (get_byte(h, 8) & 63) | 128), 'hex')::uuid
join ledger_entry n on n.posting = p.seq and n.line = 2
where n.account >= 100000;
