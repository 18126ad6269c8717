-- A payment that reverted counts as evidence also where nobody can tell why it did.
drop index withdrawal_reverted;
create index withdrawal_reverted on withdrawal (member_id, changed_at)
  where state = 'failed' and reason in ('reverted', 'unclear');
