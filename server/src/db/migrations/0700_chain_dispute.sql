-- previous version: works
-- What several nodes answer differently, where money is decided. The decision waits until they agree, or two operators say which node is right.
create table chain_dispute (
  decision  text primary key check (decision ~ '^[a-z]+ [0-9A-Za-z/-]{1,100}$'),
  answers   text not null check (answers like '{%}'),
  since     timestamptz not null,
  ruled_for text check (ruled_for <> ''),
  ruled_at  timestamptz,
  check ((ruled_for is null) = (ruled_at is null))
);
comment on table chain_dispute is 'Decisions about money on which the configured nodes contradict each other.';
comment on column chain_dispute.decision is 'What is to be decided, such as a withdrawal and its number.';
comment on column chain_dispute.answers is 'What each node answered when it was last asked, as JSON: texts by the names of the nodes.';
comment on column chain_dispute.since is 'When the nodes first contradicted each other about it.';
comment on column chain_dispute.ruled_for is 'Host of the node whose answer counts alone, as two operators have signed.';

alter table chain_event add column agreed_hash text check (agreed_hash ~ '^0x[0-9a-f]{64}$');
comment on column chain_event.agreed_hash is 'Hash of the block in which most nodes have the payment; null while they were not asked, or do not agree.';
