-- previous version: works
-- Shares of the money fund count in kind: as parts of its idle USDT, and of what debts take of borrowers' USDT and collateral.
alter table proof_snapshot
  add column pool_usdt numeric(78, 0) check (pool_usdt >= 0 and pool_usdt <> 'NaN'),
  add column pool_hash numeric(78, 0) check (pool_hash >= 0 and pool_hash <> 'NaN'),
  add column pool_ju numeric(78, 0) check (pool_ju >= 0 and pool_ju <> 'NaN'),
  add column pool_shares numeric(78, 0) check (pool_shares >= 0 and pool_shares <> 'NaN'),
  add constraint proof_snapshot_pool_whole check (num_nulls(pool_usdt, pool_hash, pool_ju, pool_shares) in (0, 4));
comment on column proof_snapshot.pool_usdt is
  'What the fund''s shares were parts of; null where they counted at their worth, in USDT.';
comment on column proof_snapshot.pool_shares is 'Shares of the fund without those that debts took.';
comment on column proof_snapshot.pool_hash is 'HASH that debts took of borrowers'' collateral; null where shares counted at their worth.';
comment on column proof_snapshot.pool_ju is 'JU that debts took of borrowers'' collateral; null where shares counted at their worth.';
