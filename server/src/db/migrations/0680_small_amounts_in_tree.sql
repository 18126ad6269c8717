-- previous version: works
-- What is owed to members of whom each is owed less than the step of every asset is in one leaf of the platform, so that accounts without
-- anything cost nothing.
alter table proof_snapshot add column small_members bigint check (small_members >= 0);
comment on column proof_snapshot.small_members is
  'How many members the platform''s leaf has something of; null where every member has a leaf of its own.';
