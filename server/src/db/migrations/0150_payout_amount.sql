-- What is received of a withdrawal, computed in one place.
alter table withdrawal
  add column payout_amount numeric(78, 0) not null generated always as (amount - fee) stored;
