-- previous version: works
-- What keeps an asset from being paid is kept once for the asset. Until now each withdrawal had it, with a time at which it was tried again,
-- so that who was tried first was a matter of chance. The previous version goes on to do that beside this one.

create table payout_round (
  asset        text primary key check (asset in ('JU', 'USDT', 'HASH')),
  paused       text,
  left_of_cap  numeric(78, 0) not null check (left_of_cap >= 0 and left_of_cap <> 'NaN'),
  left_of_held numeric(78, 0) not null check (left_of_held >= 0 and left_of_held <> 'NaN'),
  at           timestamptz not null
);
comment on table payout_round is 'What the last round of paying out left of each asset, in base units: what is under way is taken off.';
comment on column payout_round.paused is 'Why no withdrawal of the asset is signed, in words for the operator; null when those that fit are signed.';
comment on column payout_round.left_of_cap is 'What may still be signed within the contract''s cap; nothing while a withdrawal that has waited for a day needs it.';
comment on column payout_round.left_of_held is 'What the contract holds beside what is under way.';

update withdrawal set reason = null, try_at = null, last_failure = null where state = 'queued';
comment on column withdrawal.try_at is
  'When a queued one that the contract refuses for a reason of its own, or a sent one whose nonce something else has used, is looked at again.';
