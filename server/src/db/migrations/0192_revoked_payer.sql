-- A payer whose key is lost: its withdrawals were ended, so it must never pay again.
alter table payer add column revoked_at timestamptz;
comment on column payer.revoked_at is 'When its unpaid withdrawals were ended because its key is lost; it never signs again.';
