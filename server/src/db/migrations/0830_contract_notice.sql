-- previous version: works
-- What the owner of the contract has announced and can do when its notice is over: whoever has stolen its key needs the notice not to be seen.
create table contract_notice (
  words   text primary key check (words <> ''),
  seen_at timestamptz not null
);
comment on table contract_notice is 'What the owner of the contract has announced, at the last followed block.';
comment on column contract_notice.words is 'What it is and from when on it can be done, for operators.';
comment on column contract_notice.seen_at is 'When it was first seen, by our clock.';
