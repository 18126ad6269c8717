-- What a price was over the last weeks, in quarters of an hour, for pictures. Nothing is decided by it: decisions read the
-- observations themselves, of which a day is kept.
create table price_history (
  asset         text not null,
  quarter       timestamptz not null,
  at            timestamptz not null,
  block_number  bigint not null,
  price         numeric(78, 0) not null check (price > 0),
  lowest        numeric(78, 0) not null check (lowest > 0),
  highest       numeric(78, 0) not null check (highest > 0),
  primary key (asset, quarter),
  check (lowest <= price and price <= highest)
);
comment on table price_history is 'Spot prices of a quarter of an hour each, in USDT base units per whole unit. A month is kept.';
comment on column price_history.quarter is 'When it began.';
comment on column price_history.at is 'The own time of the block of its last observation.';
comment on column price_history.price is 'Of its last observation.';

insert into price_history (asset, quarter, at, block_number, price, lowest, highest)
select asset, quarter, max(at), max(block_number), (array_agg(price order by at desc))[1], min(price), max(price)
from (
  select asset, at, block_number, div(usdt_reserve * 1000000000000000000, asset_reserve) as price,
    date_bin('15 minutes', at, timestamptz 'epoch') as quarter
  from price_observation
) as observed
where price > 0
group by asset, quarter;
