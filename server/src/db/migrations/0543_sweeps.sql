-- previous version: works
-- What is swept is found without reading what stays.

create table exchange_quote_sweep (
  only_row boolean primary key default true check (only_row),
  up_to    timestamptz not null
);
insert into exchange_quote_sweep (up_to) values ('-infinity');
comment on table exchange_quote_sweep is 'How far unused quotes were swept. One row.';
comment on column exchange_quote_sweep.up_to is 'Of the quotes that expired until then only those that were used are left.';

-- Whichever comes first; a session that was not signed out has no end but that.
create index session_over on session (least(expires_at, ended_at));

-- A transaction's number means something in the cluster that gave it alone. A dump is read into another one.
alter table ledger_day_mark add column cluster bigint;
comment on column ledger_day_mark.cluster is 'System identifier of the cluster whose transactions next_after counts; null: not known.';
