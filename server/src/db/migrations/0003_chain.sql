-- What the follower knows of the chain. Amounts are base units.

-- The followed blocks near the head, each the child of the one before; older ones are pruned, and a long way that was
-- covered in one stride leaves only its last block.
create table chain_block (
  number      bigint primary key check (number >= 0),
  hash        text not null unique,
  parent_hash text not null,
  -- The block's own time.
  at          timestamptz not null
);

-- One row: how far the chain was followed, and why crediting stopped when it did.
create table chain_cursor (
  only_row      boolean primary key default true check (only_row),
  chain_id      bigint not null,
  gateway       text   not null,
  -- Block in which the gateway was deployed: nothing before it concerns us.
  start_block   bigint not null,
  -- Last block whose events are recorded.
  followed      bigint not null,
  followed_hash text,
  -- Head of the chain at the last look.
  head          bigint not null,
  head_seen_at  timestamptz not null,
  -- Set by a reorganisation that reached credited payments or below every block that we know: crediting waits for the
  -- operator. Recording goes on.
  halted_reason text
);

create type chain_event_state as enum ('recorded', 'credited');

create table chain_event (
  id           bigint primary key generated always as identity,
  tx_hash      text   not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- Index in its block, which a reorganisation changes.
  log_index    integer not null,
  -- Index among the gateway's payments of its transaction, which a reorganisation keeps.
  tx_position  integer not null,
  block_number bigint not null,
  block_hash   text   not null,
  block_at     timestamptz not null,
  -- Key of the action ('buyPower', 'deposit', 'revenue', 'repay', 'native'), or 'unknown' for a remark we cannot read.
  action       text   not null,
  reference    text   not null,
  -- Asset code ('JU', 'USDT', 'HASH').
  asset        text   not null,
  amount       numeric(78, 0) not null check (amount >= 0),
  -- Who called the contract and paid, and for whom the payer says it is.
  payer        text   not null,
  customer     text   not null,
  -- Confirmations that this amount needs, the block itself counting as the first.
  confirmations_needed integer not null check (confirmations_needed > 0),
  state        chain_event_state not null default 'recorded',
  -- Where the money ended, once credited: 'order', 'balance', 'suspense', 'revenue', …
  outcome      text,
  credited_at  timestamptz,
  -- Set while a credited payment is on no block that we know: a reorganisation removed it after the fact.
  orphaned_at  timestamptz,
  -- A payment that could not be settled waits here while the others go on.
  failures     integer not null default 0,
  last_failure text,
  retry_at     timestamptz,
  check ((state = 'credited') = (outcome is not null and credited_at is not null)),
  check (orphaned_at is null or state = 'credited'),
  check ((failures > 0) = (last_failure is not null and retry_at is not null))
);
create unique index chain_event_key on chain_event (tx_hash, tx_position) where orphaned_at is null;
create index chain_event_orphaned on chain_event (tx_hash) where orphaned_at is not null;
create index chain_event_failed on chain_event (retry_at) where state = 'recorded' and failures > 0;
create index chain_event_uncredited on chain_event (block_number, log_index) where state = 'recorded';
create index chain_event_block on chain_event (block_number);
create index chain_event_reference on chain_event (action, reference);

-- Observations of the Uniswap-V2-style pairs, oldest pruned once outside the window.
create table price_observation (
  asset        text   not null,
  block_number bigint not null,
  at           timestamptz not null,
  pair         text   not null,
  -- Reserves in base units, and the pair's own cumulative price of `asset` in USDT (UQ112x112 × seconds, mod 2^256),
  -- brought forward to `at`.
  asset_reserve numeric(78, 0) not null,
  usdt_reserve  numeric(78, 0) not null,
  cumulative    numeric(78, 0) not null,
  primary key (asset, block_number)
);
create index price_observation_recent on price_observation (asset, at desc);
