-- Where the postings of a day stand in the journal, for statements of a time: entries are kept in the order of recording,
-- which is not quite that of the times they tell. A worker writes this behind the postings, so it costs them nothing.

create table ledger_day (
  day       date   primary key,
  first_seq bigint not null,
  last_seq  bigint not null
);
comment on table ledger_day is 'The first and the last posting of each day, by the time that postings tell.';
comment on column ledger_day.day is 'A UTC day, "2026-11-21".';

create table ledger_day_mark (
  only_row   boolean primary key default true check (only_row),
  counted    bigint not null,
  next       bigint not null,
  next_after bigint not null
);
comment on table ledger_day_mark is 'How far ledger_day goes. One row.';
comment on column ledger_day_mark.counted is 'Every posting up to this one is counted.';
comment on column ledger_day_mark.next is 'How far it can go once all transactions before next_after have ended: none of them can add below it then.';

insert into ledger_day (day, first_seq, last_seq)
select (occurred_at at time zone 'UTC')::date, min(seq), max(seq) from ledger_posting group by 1;
insert into ledger_day_mark (counted, next, next_after)
select coalesce(max(seq), 0), coalesce(max(seq), 0), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
from ledger_posting;
