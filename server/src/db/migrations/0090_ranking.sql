-- Performance: confirmed purchases in USDT base units, of members and of those below them. For display only; nothing is
-- paid for it. Purchases wait in a queue and are folded in by one worker, so that those who buy never wait for those above.

create table performance_due (
  order_id  bigint primary key,
  member_id bigint not null references member (id),
  amount    numeric(78, 0) not null check (amount > 0),
  -- When the purchase was confirmed; it counts on this UTC day.
  at        timestamptz not null
);

-- Puts amounts into groups that keep their order: by the number of digits of their micro-USDT, then by the first three.
-- A rank is then the sum of some groups and a count inside of one.
create function performance_bucket(amount numeric) returns integer language sql immutable strict parallel safe as
$$
  select case when amount <= 0 then 0
    else 1000 * length(div(amount, 1000000000000)::text)
      + rpad(left(div(amount, 1000000000000)::text, 3), 3, '0')::integer end
$$;

-- For ever.
create table performance (
  member_id bigint primary key references member (id),
  own       numeric(78, 0) not null default 0,
  -- Everybody below, at any depth.
  team      numeric(78, 0) not null default 0,
  -- The largest among the direct invitees' own and team together.
  largest   numeric(78, 0) not null default 0,
  score     numeric(78, 0) not null generated always as (team - largest) stored,
  bucket    integer not null generated always as (performance_bucket(team - largest)) stored,
  check (largest <= team)
);
create index performance_rank on performance (bucket, score) where score > 0;
create index performance_top on performance (score desc, member_id) where score > 0;

-- One UTC day's.
create table performance_day (
  day       date not null,
  member_id bigint not null references member (id),
  own       numeric(78, 0) not null default 0,
  direct    numeric(78, 0) not null default 0,
  score     numeric(78, 0) not null generated always as (own + direct) stored,
  bucket    integer not null generated always as (performance_bucket(own + direct)) stored,
  primary key (day, member_id)
);
create index performance_day_rank on performance_day (day, bucket, score);
create index performance_day_top on performance_day (day, score desc, member_id);

-- How many stand in each group of each board: 'all' or a day.
create table performance_count (
  board   text    not null,
  bucket  integer not null,
  members bigint  not null,
  primary key (board, bucket)
);

insert into performance_due (order_id, member_id, amount, at)
select id, member_id, cost_usdt, settled_at from power_order where state in ('active', 'expired');
