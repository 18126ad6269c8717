-- previous version: works
-- From which blocks on the averages of a liquidation count, so that anybody recomputes them from the pair's trades.
alter table loan_liquidation add column block_5 bigint, add column block_30 bigint, add column block_day bigint;
comment on column loan_liquidation.block_5 is 'Block of the observation with which average_5 and median_5 begin; null before that was kept.';
comment on column loan_liquidation.block_30 is 'Block of the observation with which average_30 begins; null before that was kept.';
comment on column loan_liquidation.block_day is 'Block of the observation with which average_day begins; null before that was kept.';
