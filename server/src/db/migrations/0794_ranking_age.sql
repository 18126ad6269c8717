-- previous version: works
-- A ranking says up to when all purchases are in it. What waits to be passed up has the time of its oldest purchase.
-- What the previous version writes has the time at which it was written.
alter table performance_rising add column since timestamptz not null default now();
comment on column performance_rising.since is 'When the oldest purchase in it was confirmed.';
create index performance_rising_since on performance_rising (since);
create index performance_due_at on performance_due (at);
