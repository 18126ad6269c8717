-- A member has one secret for all days, so that a proof of any day finds the leaf of the last attested one.
create table proof_key (
  single bool  primary key default true check (single),
  key    bytea not null check (octet_length(key) = 32)
);
comment on table proof_key is 'One row, made with the first snapshot: what members'' secrets are derived from.';
comment on column proof_key.key is 'Random. Never changed: every proof that a member has saved depends on it.';

alter table proof_snapshot alter column seed drop not null;
comment on column proof_snapshot.seed is
  'Random: the salts of its leaves are derived from it. Null where they are derived from members'' secrets.';
