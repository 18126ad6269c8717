-- A queued withdrawal can come back to review, so operators approve in rounds, and what they knew is kept: only what is
-- new since then makes a person look again.
alter table withdrawal
  add column review_round  smallint not null default 0 check (review_round >= 0),
  add column seen_orphaned integer  not null default 0 check (seen_orphaned >= 0),
  add column seen_reverted integer  not null default 0 check (seen_reverted >= 0);
comment on column withdrawal.review_round is 'How often it came back to review; approvals count in their own round.';
comment on column withdrawal.seen_orphaned is
  'How many credited payments of the member had left the chain when operators last approved this withdrawal.';
comment on column withdrawal.seen_reverted is
  'How many payments to the member had reverted when operators last approved this withdrawal.';

alter table withdrawal_approval add column round smallint not null default 0;
comment on column withdrawal_approval.round is 'The round of review that it counts in.';
alter table withdrawal_approval drop constraint withdrawal_approval_pkey;
-- The same name twice in a round is one person.
alter table withdrawal_approval add primary key (withdrawal_id, round, operator);

-- 'reverted' means from here on that the fee was kept; until now everything was given back.
update withdrawal set reason = 'unpaid' where state = 'failed' and reason = 'reverted';
create index withdrawal_reverted on withdrawal (member_id, changed_at) where state = 'failed' and reason = 'reverted';
