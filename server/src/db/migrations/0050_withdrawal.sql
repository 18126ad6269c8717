-- Withdrawals, the transactions that pay them, and the comparison of the books with the chain. Amounts are base units.

comment on column chain_event.action is
  'what the log means: an action key, ''unknown'', ''paid'' (money out; reference is the payout id), or ''transfer'' (tokens sent to the contract''s address without calling it)';
comment on column chain_event.tx_position is
  'index among the logs of its kind in its transaction: payments from 0, payouts from 1000000, bare transfers from 2000000';
create index chain_event_paid on chain_event (reference) where action = 'paid';

-- Together with the foreign key below: money leaves only to the member's own wallet, whatever the code does.
alter table member add constraint member_id_address unique (id, address);

-- The account that signs payouts. Its row is locked by whoever signs, so workers sign one after the other.
create table payer (
  address    text   primary key check (address ~ '^0x[0-9a-f]{40}$'),
  next_nonce bigint not null check (next_nonce >= 0)
);

create type withdrawal_state as enum ('review', 'queued', 'sending', 'done', 'rejected', 'failed');

create table withdrawal (
  id            bigint primary key generated always as identity,
  withdrawal_no text   not null unique,
  -- What the contract pays once and only once.
  payout_id     text   not null unique check (payout_id ~ '^0x[0-9a-f]{64}$'),
  member_id     bigint not null,
  asset         text   not null,
  -- Taken from the balance; what is received is amount - fee.
  amount        numeric(78, 0) not null,
  fee           numeric(78, 0) not null check (fee >= 0),
  to_address    text   not null,
  -- In USDT when it was asked for, which the limits count.
  worth_usdt    numeric(78, 0) not null,
  -- 'confirming' is not stored: it is a sent withdrawal with a recorded Paid event, so a reorganisation undoes it.
  state         withdrawal_state not null,
  reason        text,
  note          text,
  -- How many operators have to approve it.
  approvals     smallint not null default 0 check (approvals between 0 and 2),
  -- The one place in the payer's sequence that this withdrawal may ever have.
  payer         text   references payer (address),
  nonce         bigint,
  -- A queued one that cannot be paid now: when to look again, and why in words for the operator.
  try_at        timestamptz,
  trouble       text,
  created_at    timestamptz not null,
  changed_at    timestamptz not null,
  check (amount > fee),
  check ((payer is null) = (nonce is null)),
  check (state not in ('review', 'queued', 'rejected') or nonce is null),
  check (state not in ('sending') or nonce is not null),
  unique (payer, nonce),
  unique (id, payer, nonce),
  foreign key (member_id, to_address) references member (id, address)
);
create index withdrawal_member on withdrawal (member_id, id desc);
create index withdrawal_worth on withdrawal (member_id, created_at) where state not in ('rejected', 'failed');
create index withdrawal_open on withdrawal (id) where state in ('review', 'queued', 'sending');

-- What was asked for stays what was asked for, and what is over stays over.
create function withdrawal_keeps_its_terms() returns trigger language plpgsql as
$$
begin
  if (new.withdrawal_no, new.payout_id, new.member_id, new.asset, new.amount, new.fee, new.to_address, new.created_at)
    is distinct from
    (old.withdrawal_no, old.payout_id, old.member_id, old.asset, old.amount, old.fee, old.to_address, old.created_at)
  then
    raise exception 'the terms of withdrawal % cannot be changed', old.withdrawal_no;
  end if;
  if old.nonce is not null and (new.payer, new.nonce) is distinct from (old.payer, old.nonce) then
    raise exception 'withdrawal % has its nonce', old.withdrawal_no;
  end if;
  if old.state in ('done', 'rejected', 'failed') and new.state <> old.state then
    raise exception 'withdrawal % is over', old.withdrawal_no;
  end if;
  return new;
end
$$;
create trigger keeps_its_terms before update on withdrawal
  for each row execute function withdrawal_keeps_its_terms();

-- Each signed transaction is here before anybody else hears of it. Several of one withdrawal have the same nonce, so
-- at most one of them can be mined.
create table payout_transaction (
  hash          text   primary key check (hash ~ '^0x[0-9a-f]{64}$'),
  withdrawal_id bigint not null,
  payer         text   not null,
  nonce         bigint not null,
  raw           text   not null,
  -- Per unit of gas, in base units of the native currency.
  gas_price     numeric(78, 0) not null,
  gas           bigint not null,
  signed_at     timestamptz not null,
  -- When a node first took it; when we last offered it, and what the node had against it.
  broadcast_at  timestamptz,
  tried_at      timestamptz,
  trouble       text,
  foreign key (withdrawal_id, payer, nonce) references withdrawal (id, payer, nonce),
  unique (withdrawal_id, gas_price)
);

create table withdrawal_step (
  id            bigint primary key generated always as identity,
  withdrawal_id bigint not null references withdrawal (id),
  state         withdrawal_state not null,
  tx_hash       text,
  at            timestamptz not null
);
create index withdrawal_step_of on withdrawal_step (withdrawal_id, id);

create table withdrawal_approval (
  withdrawal_id bigint not null references withdrawal (id),
  operator      text   not null,
  at            timestamptz not null,
  -- The same name twice is one person.
  primary key (withdrawal_id, operator)
);

-- One comparison of what the books say that the contract holds with what it held, at one block.
create table reconciliation (
  id           bigint primary key generated always as identity,
  block_number bigint not null,
  block_hash   text   not null,
  at           timestamptz not null,
  -- Withdrawals wait because of this run.
  paused       boolean not null,
  -- What differs, in words; null when nothing does.
  finding      text
);
create table reconciliation_line (
  reconciliation_id bigint not null references reconciliation (id),
  asset             text   not null,
  expected          numeric(78, 0) not null,
  found             numeric(78, 0) not null,
  primary key (reconciliation_id, asset)
);

create function withdrawal_history_is_append_only() returns trigger language plpgsql as
$$ begin raise exception '% is append-only', tg_table_name; end $$;
create trigger append_only before update or delete or truncate on withdrawal_step
  for each statement execute function withdrawal_history_is_append_only();
create trigger append_only before update or delete or truncate on withdrawal_approval
  for each statement execute function withdrawal_history_is_append_only();
create trigger append_only before update or delete or truncate on reconciliation
  for each statement execute function withdrawal_history_is_append_only();
create trigger append_only before update or delete or truncate on reconciliation_line
  for each statement execute function withdrawal_history_is_append_only();
create trigger no_removal before delete or truncate on payout_transaction
  for each statement execute function withdrawal_history_is_append_only();
create trigger no_removal before delete or truncate on withdrawal
  for each statement execute function withdrawal_history_is_append_only();
