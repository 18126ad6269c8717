-- previous version: works
-- The contract is in exit mode: members claim from it, and nothing here may move what they have claimed.
create table contract_exit (
  only_row  boolean primary key default true check (only_row),
  exited_at timestamptz not null,
  seen_at   timestamptz not null
);
comment on table contract_exit is 'One row while the contract is in exit mode at the last followed block; else none.';
comment on column contract_exit.exited_at is 'The contract''s own time of it.';
