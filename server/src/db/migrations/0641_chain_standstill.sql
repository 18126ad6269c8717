-- previous version: works
-- Times in which the chain had no block. Who had to act on chain then could not, so what it does soon after counts as done earlier.

create table chain_standstill (
  block_number bigint primary key,
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  check (from_at < to_at)
);
create index chain_standstill_end on chain_standstill (to_at desc);

comment on table chain_standstill is 'Pairs of followed blocks, one the child of the other, with a long time between them.';
comment on column chain_standstill.block_number is 'The later one, the first new block.';
comment on column chain_standstill.from_at is 'The time of the block before it.';
comment on column chain_standstill.to_at is 'The time of the first new block.';
