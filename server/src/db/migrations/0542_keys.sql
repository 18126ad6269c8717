-- previous version: works
-- Every table has a key: without one, Postgres refuses updates and deletes of a table that is published to another database.
alter table ledger_delta add column id bigint generated always as identity primary key;
alter table member_count add column id bigint generated always as identity primary key;
alter table power_total add column id bigint generated always as identity primary key;
alter table surplus_assignment add column id bigint generated always as identity primary key;
