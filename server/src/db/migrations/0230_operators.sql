-- Operators with keys: what changes anything is signed, and what is dangerous is signed by two.

create table installation (
  only_row boolean primary key default true check (only_row),
  id       uuid    not null default gen_random_uuid()
);
insert into installation default values;
comment on table installation is 'One row: this installation. Part of what operators sign, so that a signature for another one is worth nothing here.';

create table operator (
  -- Strict, so that no two names look like one.
  name       text   primary key check (name ~ '^[a-z][a-z0-9]{1,31}$'),
  -- An Ed25519 public key, or the address of a wallet.
  key        text   not null unique check (key ~ '^(ed25519:[0-9a-f]{64}|0x[0-9a-f]{40})$'),
  -- How many commands of this operator were taken; the next one signs this number plus one.
  signed     bigint not null default 0 check (signed >= 0),
  added_at   timestamptz not null,
  removed_at timestamptz
);
comment on table operator is 'Who may give commands that change something. Names and keys are never used a second time, also after removal.';
comment on column operator.signed is 'Number of the last command that was taken; the next one signs the number after it.';

create function operator_is_kept() returns trigger language plpgsql as
$$ begin raise exception 'operators are removed by removed_at, and keep name and key'; end $$;
create trigger no_removal before delete or truncate on operator
  for each statement execute function operator_is_kept();
create trigger name_and_key_stay before update of name, key, added_at on operator
  for each statement execute function operator_is_kept();
create trigger removal_is_final before update on operator
  for each row when (old.removed_at is not null) execute function operator_is_kept();

create table operator_proposal (
  id          bigint primary key generated always as identity,
  command     text   not null,
  input       jsonb  not null,
  proposed_by text   not null references operator (name),
  proposed_at timestamptz not null,
  expires_at  timestamptz not null check (expires_at > proposed_at),
  ended_at    timestamptz,
  ended       text check (ended in ('done', 'withdrawn', 'expired')),
  check ((ended is null) = (ended_at is null))
);
-- At most one of the same command is open.
create unique index operator_proposal_open on operator_proposal (command, md5(input::text)) where ended is null;
comment on table operator_proposal is 'Commands that one operator signed and that another one has to sign before they are done.';
comment on column operator_proposal.ended is 'done: a second operator signed it; withdrawn: an operator ended it; expired: nobody signed it in time.';

alter table operator_audit
  alter column operator drop not null,
  add column number    bigint,
  add column service   text,
  add column key       text,
  add column signature text,
  add column outcome   text check (outcome in ('read', 'proposed', 'done')),
  add column proposal  bigint references operator_proposal (id),
  add check ((signature is null) = (number is null) and (signature is null) = (service is null)
    and (signature is null) = (key is null)),
  add check (signature is not null or outcome is null or outcome = 'read');
-- The same signature counts once, and no signed command can be missing unnoticed.
create unique index operator_audit_number on operator_audit (operator, number) where number is not null;
comment on table operator_audit is 'Each operator command, with the signature of its operator unless it only reads. Append-only.';
comment on column operator_audit.operator is 'Who signed it; null for a command that only reads. A name that was stated, not proved, where outcome is null.';
comment on column operator_audit.number is 'Which of this operator''s commands it is, counted from 1 without a gap. Part of what is signed.';
comment on column operator_audit.service is 'Installation, chain and contract that the signature is for.';
comment on column operator_audit.key is 'The operator''s public key when it signed.';
comment on column operator_audit.outcome is 'Null in rows from before commands were signed.';
