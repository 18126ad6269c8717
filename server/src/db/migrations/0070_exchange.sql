-- The exchange desk's quotes and exchanges, and what became of money in suspense. Amounts are base units, prices USDT
-- base units per whole unit.

create table exchange_quote (
  id            bigint primary key generated always as identity,
  quote_no      text    not null unique,
  member_id     bigint  not null references member (id),
  from_asset    text    not null,
  to_asset      text    not null,
  amount_in     numeric(78, 0) not null check (amount_in > 0),
  -- As the desk used them.
  from_price    numeric(78, 0) not null check (from_price > 0),
  to_price      numeric(78, 0) not null check (to_price > 0),
  -- What they were chosen from, and the pair and block that say so.
  evidence      jsonb   not null,
  base_fee_ppm  integer not null,
  discount      integer not null,
  level         integer not null,
  fee_ppm       integer not null check (fee_ppm between 0 and 1000000),
  amount_out    numeric(78, 0) not null check (amount_out > 0),
  fee           numeric(78, 0) not null check (fee >= 0),
  created_at    timestamptz not null,
  expires_at    timestamptz not null check (expires_at > created_at),
  check (from_asset <> to_asset),
  -- The formula that people are shown, kept by the database as well: both rounded down once.
  check (amount_out = div(amount_in * from_price * (1000000 - fee_ppm), to_price * 1000000)),
  check (amount_out + fee = div(amount_in * from_price, to_price)),
  unique (id, member_id)
);
create index exchange_quote_expired on exchange_quote (expires_at);

create table exchange (
  id            bigint primary key generated always as identity,
  exchange_no   text    not null unique,
  -- One exchange a quote, and by its owner.
  quote_id      bigint  not null unique,
  member_id     bigint  not null,
  from_asset    text    not null,
  to_asset      text    not null,
  amount_in     numeric(78, 0) not null check (amount_in > 0),
  from_price    numeric(78, 0) not null,
  to_price      numeric(78, 0) not null,
  evidence      jsonb   not null,
  base_fee_ppm  integer not null,
  discount      integer not null,
  level         integer not null,
  fee_ppm       integer not null,
  amount_out    numeric(78, 0) not null check (amount_out > 0),
  fee           numeric(78, 0) not null check (fee >= 0),
  quoted_out    numeric(78, 0) not null,
  min_received  numeric(78, 0) not null,
  created_at    timestamptz not null,
  foreign key (quote_id, member_id) references exchange_quote (id, member_id),
  check (amount_out between min_received and quoted_out),
  check (amount_out = div(amount_in * from_price * (1000000 - fee_ppm), to_price * 1000000)),
  check (amount_out + fee = div(amount_in * from_price, to_price))
);
create index exchange_member on exchange (member_id, id desc);

-- To whom the operator gave what had come without an owner. Named by the payment's place on chain, which stays the same
-- when what we know of the chain is thrown away and read again.
create table suspense_assignment (
  tx_hash      text   not null,
  tx_position  integer not null,
  asset        text   not null,
  amount       numeric(78, 0) not null check (amount > 0),
  -- 'desk', or 'member' with its id.
  target       text   not null check (target ~ '^[a-z]+$'),
  member_id    bigint references member (id),
  assigned_at  timestamptz not null,
  primary key (tx_hash, tx_position),
  check ((target = 'member') = (member_id is not null))
);

create function exchange_history_is_append_only() returns trigger language plpgsql as
$$ begin raise exception '% is append-only', tg_table_name; end $$;
create trigger append_only before update or delete or truncate on exchange
  for each statement execute function exchange_history_is_append_only();
create trigger no_change before update on exchange_quote
  for each statement execute function exchange_history_is_append_only();
create trigger append_only before update or delete or truncate on suspense_assignment
  for each statement execute function exchange_history_is_append_only();
