-- What the desk took and gave of late, for the limits of an hour.
create table desk_flow (
  asset   text not null,
  minute  timestamptz not null,
  net     numeric(78, 0) not null,
  primary key (asset, minute)
);
comment on table desk_flow is 'What the desk took of each asset less what it gave, for a little more than an hour.';
comment on column desk_flow.minute is 'The minute''s begin.';
comment on column desk_flow.net is 'Worth in USDT base units, at the prices of each exchange. Negative: it gave more.';
