-- Plans and orders of computing power. Money in base units, power in whole units.

create table power_plan (
  id          bigint primary key generated always as identity,
  name        jsonb  not null,
  description jsonb  not null,
  unit        text   not null,
  unit_price  numeric(78, 0) not null check (unit_price > 0),
  term_days   integer not null check (term_days between 1 and 3650),
  min_units   bigint not null check (min_units > 0),
  max_units   bigint not null check (max_units >= min_units),
  total_units bigint not null check (total_units > 0),
  -- Units neither sold nor reserved by an order that may still be paid.
  units_left  bigint not null check (units_left between 0 and total_units),
  -- Millionths of the output that the platform keeps: 50000 is 5 %.
  service_fee_ppm integer not null check (service_fee_ppm between 0 and 1000000),
  created_at  timestamptz not null,
  closed_at   timestamptz
);

-- 'confirming' is not stored: it is 'pending' or 'cancelled' with a recorded payment, so that a reorganisation undoes it by itself.
create type power_order_state as enum ('pending', 'active', 'expired', 'cancelled', 'late', 'mismatch');

create table power_order (
  id         bigint primary key generated always as identity,
  order_no   text   not null unique check (order_no ~ '^[0-9A-Z-]{8,32}$'),
  member_id  bigint not null references member (id),
  plan_id    bigint not null references power_plan (id),
  units      bigint not null check (units > 0),
  cost_usdt  numeric(78, 0) not null check (cost_usdt > 0),
  asset      text   not null,
  payable    numeric(78, 0) not null check (payable > 0),
  -- USDT base units per whole unit of `asset` at the time of the order.
  price      numeric(78, 0) not null check (price > 0),
  state      power_order_state not null default 'pending',
  created_at timestamptz not null,
  pay_before timestamptz not null,
  -- After this an unpaid order is no longer matched.
  watch_until timestamptz not null,
  term_days  integer not null,
  -- When it left 'pending'; later again when a payment still came for a cancelled order.
  settled_at timestamptz,
  -- First and last UTC day that earn.
  starts_on  date,
  ends_on    date,
  -- The payment that settled this order, whichever way.
  chain_event_id bigint unique references chain_event (id),
  check ((state = 'pending') = (settled_at is null)),
  check ((state in ('active', 'expired')) = (starts_on is not null and ends_on is not null)),
  check ((state in ('pending', 'cancelled')) = (chain_event_id is null))
);
create index power_order_member on power_order (member_id, id desc);
create index power_order_open on power_order (pay_before) where state = 'pending';
create index power_order_active on power_order (member_id) where state = 'active';
create index power_order_ending on power_order (ends_on) where state = 'active';

-- Every change of a member's active power; `total` is the power after it.
create table power_log (
  id        bigint primary key generated always as identity,
  member_id bigint not null references member (id),
  order_id  bigint not null references power_order (id),
  kind      text   not null check (kind in ('activated', 'expired')),
  units     bigint not null,
  total     bigint not null check (total >= 0),
  at        timestamptz not null,
  unique (order_id, kind)
);
create index power_log_member on power_log (member_id, id desc);

-- Active power per member, kept with the log so that lists and levels need no sums.
create table member_power (
  member_id    bigint primary key references member (id),
  active_units bigint not null check (active_units >= 0),
  -- Confirmed purchases in USDT.
  purchased_usdt numeric(78, 0) not null default 0
);
