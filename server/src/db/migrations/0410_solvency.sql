-- What was owed when the books were compared with the chain, so that solvency is published as it was at that block.
alter table reconciliation_line
  add column owed_members numeric(100, 0),
  add column owed_unassigned numeric(100, 0),
  add constraint reconciliation_line_owed check ((owed_members is null) = (owed_unassigned is null));
comment on column reconciliation_line.owed_members is
  'What members had there, less their debts; null for comparisons of before it was kept. Base units.';
comment on column reconciliation_line.owed_unassigned is
  'What belongs to somebody and was on no balance yet: payments under way, suspense, output that is not shared. Base units.';
-- The history of the last days.
create index reconciliation_at on reconciliation (at);
