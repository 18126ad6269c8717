-- Proof of what is owed: a snapshot of the ledger each day, its sum tree, and the transactions that attest it on chain.

create table proof_snapshot (
  day          date primary key,
  sequence     bigint not null,
  block_number bigint not null,
  taken_at     timestamptz not null,
  gateway      text not null check (gateway ~ '^0x[0-9a-f]{40}$'),
  seed         bytea not null check (octet_length(seed) = 32),
  depth        integer not null check (depth between 0 and 32),
  root         text not null check (root ~ '^0x[0-9a-f]{64}$'),
  owed_usdt    numeric(78, 0) not null check (owed_usdt >= 0),
  owed_hash    numeric(78, 0) not null check (owed_hash >= 0),
  owed_ju      numeric(78, 0) not null check (owed_ju >= 0),
  held_usdt    numeric(78, 0) not null,
  held_hash    numeric(78, 0) not null,
  held_ju      numeric(78, 0) not null,
  fund_assets  numeric(78, 0) not null check (fund_assets >= 0),
  fund_shares  numeric(78, 0) not null check (fund_shares >= 0),
  price_ju     numeric(78, 0) check (price_ju >= 0),
  price_hash   numeric(78, 0) check (price_hash >= 0)
);
comment on table proof_snapshot is 'What was owed to members at one sequence of the ledger, one a day. Amounts in base units.';
comment on column proof_snapshot.sequence is 'ledger_posting.seq of the last posting that is in it.';
comment on column proof_snapshot.block_number is 'Payments of the contract up to this block are in it.';
comment on column proof_snapshot.gateway is 'The contract that its leaves are for.';
comment on column proof_snapshot.seed is 'Random: the salts of its leaves and their order are derived from it.';
comment on column proof_snapshot.depth is 'Its tree has 2^depth leaves.';
comment on column proof_snapshot.held_usdt is 'What the contract held at that block.';
comment on column proof_snapshot.fund_assets is 'USDT of the money fund, by which its shares were counted.';
comment on column proof_snapshot.price_ju is 'USDT for a whole JU, by which debts were taken from collateral; null where nobody knew it.';

-- Most members have none of this, and their balances are in the ledger for ever: so a row for those alone who do.
create table proof_part (
  day             date not null references proof_snapshot (day) on delete cascade,
  member_id       bigint not null references member (id),
  debt            numeric(78, 0) not null check (debt >= 0),
  collateral_ju   numeric(78, 0) not null check (collateral_ju >= 0),
  collateral_hash numeric(78, 0) not null check (collateral_hash >= 0),
  paid_usdt       numeric(78, 0) not null check (paid_usdt >= 0),
  paid_hash       numeric(78, 0) not null check (paid_hash >= 0),
  paid_ju         numeric(78, 0) not null check (paid_ju >= 0),
  primary key (day, member_id)
);
comment on table proof_part is 'What a snapshot counted of a member besides its balances and fund shares. Amounts in base units.';
comment on column proof_part.debt is 'USDT that all loans of the member owed.';
comment on column proof_part.paid_usdt is 'What the contract paid to the member in blocks after that of the snapshot.';

-- A tree of 2^20 leaves has two million nodes. Kept are pieces of 256 neighbours; what is above them in the piece is hashed again when
-- it is needed.
create table proof_piece (
  day       date not null references proof_snapshot (day) on delete cascade,
  tier      integer not null,
  part      integer not null,
  first_key bytea,
  keys      bytea,
  nodes     bytea not null,
  primary key (day, tier, part)
);
create index proof_piece_key on proof_piece (day, first_key) where tier = 0;
comment on table proof_piece is 'The nodes of a snapshot''s tree.';
comment on column proof_piece.tier is '0 has the leaves; the tops of its pieces are the first nodes of tier 1, and so on.';
comment on column proof_piece.part is 'Its place among the pieces of the tier.';
comment on column proof_piece.keys is 'Of tier 0: what its leaves are ordered by, 16 bytes each.';
comment on column proof_piece.nodes is 'Its lowest nodes, 80 bytes each.';
-- Hashes cannot be compressed, and trying costs more than it saves of the sums.
alter table proof_piece alter column nodes set storage external;
alter table proof_piece alter column keys set storage external;

create table attestation (
  day         date primary key references proof_snapshot (day),
  payer       text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce       bigint not null check (nonce >= 0),
  state       text not null check (state in ('signed', 'attested', 'failed')),
  attested_at timestamptz,
  unique (payer, nonce),
  check ((state = 'attested') = (attested_at is not null))
);
create index attestation_signed on attestation (day) where state = 'signed';
comment on table attestation is 'Which transaction of the payer attests a snapshot.';
comment on column attestation.state is 'attested: the contract says so at a final block. failed: the nonce was used and it does not.';
comment on column attestation.attested_at is 'The time of the block that it is in.';

create table attestation_transaction (
  hash      text primary key check (hash ~ '^0x[0-9a-f]{64}$'),
  day       date not null references attestation (day),
  raw       text not null,
  gas_price numeric(78, 0) not null,
  signed_at timestamptz not null,
  tried_at  timestamptz,
  last_failure text,
  unique (day, gas_price)
);
comment on table attestation_transaction is 'Signed transactions that attest, all of one day with one nonce.';
comment on column attestation_transaction.gas_price is 'Native base units per unit of gas.';
comment on column attestation_transaction.tried_at is 'When it was last offered to a node.';
comment on column attestation_transaction.last_failure is 'Why a node did not take it.';

create table attestation_request (
  day date primary key,
  at  timestamptz not null
);
comment on table attestation_request is 'Days that an operator wants attested before the time.';
