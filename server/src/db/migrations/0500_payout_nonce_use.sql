-- previous version: works
-- Which transaction has used the nonce of a payout, where it is in a block and is none of ours. It is found while nodes keep the states
-- around that block, and may count only later, when the block is final.
create table payout_nonce_use (
  withdrawal_id bigint primary key references withdrawal (id),
  tx_hash       text   not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  block_number  bigint not null,
  block_hash    text   not null,
  found_at      timestamptz not null
);
