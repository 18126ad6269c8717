-- A call that finds more entries than it takes leaves the others to a worker. Until that has come through them, calls need
-- not make notices of the same newest entries again.
alter table notice_gathered add column newest bigint not null default 0;
comment on column notice_gathered.newest is 'The newest posting that a call has made into a notice; a worker comes to those between.';
