-- previous version: works
-- Money that came in within a day shares a part of the contract's cap, so that money that goes round uses up no more than that.
-- What the previous version adds counts as old.

alter table withdrawal add column fresh_amount numeric(78, 0) not null default 0 check (fresh_amount >= 0 and fresh_amount <> 'NaN');
comment on column withdrawal.fresh_amount is
  'The part of what is received that its member had not had for 24 hours when it was asked for, in base units.';

alter table payout_round add column left_of_fresh numeric(78, 0) not null default 0 check (left_of_fresh >= 0 and left_of_fresh <> 'NaN');
comment on column payout_round.left_of_fresh is 'What of fresh money may still be signed.';

create table fresh_use (
  asset text primary key check (asset in ('JU', 'USDT', 'HASH')),
  used  numeric(78, 0) not null check (used >= 0 and used <> 'NaN'),
  at    timestamptz not null
);
comment on table fresh_use is 'How much of its share of the cap fresh money has used, by asset, in base units. It comes back evenly within 24 hours.';
comment on column fresh_use.used is 'What was not back yet at that time.';
