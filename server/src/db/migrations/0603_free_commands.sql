-- previous version: works
-- Commands that cost nothing stay in the journal for ever, so each member has so many in a UTC day.
create table free_command (
  member_id  bigint primary key references member (id),
  day        date not null,
  made       integer not null check (made > 0)
);
comment on table free_command is 'How many commands that cost nothing a member has made on the last day on which it made one.';
