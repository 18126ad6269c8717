-- previous version: works
-- Nobody proves a UID at the exchange, so whoever writes one first must not keep it from its owner.
alter table member drop constraint member_ju_uid_key;
comment on column member.ju_uid is 'The member''s UID at the exchange as the member says it, for display only. Several may say the same.';
