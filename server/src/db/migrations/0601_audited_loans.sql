-- previous version: works
-- Loans that ended long ago were audited each hour for ever. Now each is until it was found to be right two days after its end.
alter table loan add column audited_at timestamptz;
comment on column loan.audited_at is 'When the audit found it to be right after its end; it is not looked at each hour any more.';
create index loan_to_audit on loan (id) where audited_at is null;
