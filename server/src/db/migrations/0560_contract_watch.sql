-- previous version: must be stopped
-- It does not know the calls of the contract that this version pays and attests with.
-- What the contract said when it was last asked: its caps, and whether its last attestation is one of ours.

create table payout_cap (
  asset       text primary key check (asset in ('JU', 'USDT', 'HASH')),
  cap         numeric(78, 0) not null check (cap >= 0),
  left_of_cap numeric(78, 0) not null check (left_of_cap >= 0),
  block_at    timestamptz not null
);
comment on table payout_cap is 'What the contract pays out at most, by asset, in base units.';
comment on column payout_cap.cap is 'At once, and again within 24 hours.';
comment on column payout_cap.left_of_cap is 'What was left of it in the block of that time.';
comment on column payout_cap.block_at is 'The time of the followed block at which the contract was asked.';

create table contract_attestation (
  only_row    boolean primary key default true check (only_row),
  root        text not null check (root ~ '^0x[0-9a-f]{64}$'),
  day         date not null,
  is_foreign  boolean not null,
  seen_at     timestamptz not null
);
comment on table contract_attestation is 'The last attestation that the contract names.';
comment on column contract_attestation.is_foreign is 'True when this service has signed no such attestation: somebody else has the key of the attester.';
comment on column contract_attestation.seen_at is 'When the contract was first seen to name it.';

comment on table payer is 'Accounts that sign payouts or attestations.';
comment on column attestation.payer is 'The account that signs it: the contract''s attester.';
comment on table attestation is 'Which transaction of the attester attests a snapshot.';
