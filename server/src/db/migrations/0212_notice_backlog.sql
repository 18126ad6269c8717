-- Gains are made into notices in bounded steps: the newest when their owner looks, what is left behind by a worker. And
-- everything is marked as read by one row, however much that is.

comment on table notice_gathered is 'How far the entries of a ledger account are made into notices.';
alter table notice_gathered
  add column behind boolean not null default false,
  add column read_to bigint,
  add column read_at timestamptz,
  add check ((read_to is null) = (read_at is null));
comment on column notice_gathered.behind is 'There was more than one look takes: a worker goes on.';
comment on column notice_gathered.read_to is 'What is behind and not above this posting was marked as read at read_at, all at once.';
create index notice_behind on notice_gathered (account) where behind;

create table notice_reader (
  member_id bigint      primary key references member (id) on delete cascade,
  read_to   bigint      not null,
  read_at   timestamptz not null
);
comment on table notice_reader is 'Up to which of its notices, by their ids, a member has marked everything as read, and when.';

drop index notice_unread;
create index notice_unread on notice (member_id, id) where read_at is null;
