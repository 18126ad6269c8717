-- previous version: works
-- An account costs nothing to make. So its invitation code works once 1 USDT has been paid in for it, and one that was made beyond the limits
-- of a code or of the service goes again when that does not happen.
alter table member
  add column paid_in bigint not null default 0 check (paid_in between 0 and 1000000),
  add column code_open_at timestamptz,
  add column code_closed_at timestamptz,
  add column leaves_at timestamptz;
comment on column member.paid_in is 'Millionths of what opens the own code: of 1 USDT, of 2 HASH or of 0.2 JU. Not counted further.';
comment on column member.code_open_at is 'Since when the own code brings in members; null before enough was paid in.';
comment on column member.code_closed_at is 'When an operator closed the own code.';
comment on column member.leaves_at is 'When the account goes unless its own code has opened; null for one that stays.';
-- Who is here already has passed its code on.
update member set code_open_at = joined_at;
create index member_leaving on member (leaves_at) where leaves_at is not null;
