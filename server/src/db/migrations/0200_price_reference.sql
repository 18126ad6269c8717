-- With what a price is compared besides its own average of half an hour, and whether it waits for an operator.
create table price_reference (
  asset      text primary key,
  price      numeric(78, 0) not null check (price > 0),
  since      timestamptz not null,
  halted_at  timestamptz
);
comment on table price_reference is 'What each price is compared with. Prices in USDT base units per whole unit.';
comment on column price_reference.price is
  'Counts for the part of a day that lies before `since`; while halted, it stands for the whole average of the day.';
comment on column price_reference.since is 'The block''s own time. Averages of a day reach no further back.';
comment on column price_reference.halted_at is
  'When the average of half an hour left that of the day, in the block''s own time; null while the price is in use.';

-- The observations that are kept are those of a day: the least liquidity of a day is the first row of this index.
create index price_observation_liquidity on price_observation (asset, usdt_reserve);
