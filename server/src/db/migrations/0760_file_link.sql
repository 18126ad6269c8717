-- previous version: works
-- Browsers inside wallets save no files. A member takes the file with another browser, which is not signed in.
create table file_link (
  member_id   bigint      primary key references member (id) on delete cascade,
  token_hash  bytea       not null unique,
  file        text        not null check (file in ('statement', 'proof')),
  query       text        not null,
  lang        text        not null check (lang in ('zh', 'tw', 'en')),
  expires_at  timestamptz not null
);
comment on table file_link is 'What a member may take as a file without a session, once. A newer link of the member takes its place.';
comment on column file_link.token_hash is 'SHA-256 of the token.';
comment on column file_link.query is 'Which lines of the statement, as the fields of a form; with the place of the piece that comes next.';
comment on column file_link.member_id is 'Whose file it is; one link for each member.';
comment on column file_link.file is 'statement: a CSV of entries. proof: what the member is owed, with its place in the tree.';
comment on column file_link.lang is 'Language of the file''s words.';
comment on column file_link.expires_at is 'Not valid from then on.';
