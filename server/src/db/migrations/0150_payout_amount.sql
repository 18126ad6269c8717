-- What is received of a withdrawal, computed in one place.
alter table withdrawal
  add column payout_amount numeric(78, 0) not null generated always as (amount - fee) stored;

-- What the contract may pay at any moment, for those who compare its payments with what was asked for.
create view expected_payout as
select payout_id, asset, payout_amount as amount, to_address from withdrawal where state in ('queued', 'sending');
