-- previous version: works
-- What a member can make at no cost is swept when nothing is waited for any more, and is found without reading what stays.
create index power_order_unpaid on power_order (watch_until) where state = 'cancelled';
create index deposit_lapsing on deposit (lapses_at);
create index notice_new_device on notice (at) where kind = 'newDevice';

create table deposit_sweep (
  only_row boolean primary key default true check (only_row),
  up_to    timestamptz not null
);
insert into deposit_sweep (up_to) values ('-infinity');
comment on table deposit_sweep is 'How far announcements that nobody paid were swept. One row.';
comment on column deposit_sweep.up_to is 'Of those that lapsed until then only those that were paid are left.';
comment on column deposit_sweep.only_row is 'Always true: there is one row.';
