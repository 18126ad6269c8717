-- The chain's own time beside ours: a node that repeats an old head answers as often as a good one.
alter table chain_cursor add column head_at timestamptz;
comment on column chain_cursor.head_at is 'The head''s own time; null before the first round.';
comment on column chain_cursor.head_seen_at is 'When a node last answered, by our clock.';

alter table reconciliation add column block_at timestamptz;
comment on column reconciliation.block_at is 'The compared block''s own time; null for comparisons of before it was kept.';
