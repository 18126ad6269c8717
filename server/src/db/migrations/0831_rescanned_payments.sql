-- previous version: works
-- An operator reads blocks again with a node of their own choice, so the server asks its own before it credits what was found.
alter table chain_event add column is_rescanned boolean not null default false;
comment on column chain_event.is_rescanned is 'Recorded by an operator''s command: counts only when our nodes have it as well, also where there is one.';
