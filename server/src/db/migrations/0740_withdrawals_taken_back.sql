-- previous version: works
-- A member may take back a withdrawal that is not signed. It ends as rejected, which the previous version knows; the time tells the two apart.
alter table withdrawal add column taken_back_at timestamptz check (taken_back_at is null or state = 'rejected');
comment on column withdrawal.taken_back_at is 'When its owner took it back.';
