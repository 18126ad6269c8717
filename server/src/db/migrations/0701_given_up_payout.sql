-- previous version: works
-- Operators may give up a payout that the chain does not take: an empty transaction then uses its nonce.
alter table withdrawal add column given_up_at timestamptz;
comment on column withdrawal.given_up_at is 'When two operators decided that an empty transaction is to use the nonce of its payout.';
alter table payout_transaction add column is_empty boolean not null default false;
comment on column payout_transaction.is_empty is 'True for one that pays nothing and uses the nonce of a payout that was given up.';
