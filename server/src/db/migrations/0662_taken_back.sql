-- previous version: works
-- A credited payment that left the chain for good is taken back by operators. The same payment may come again later: its postings have
-- other ids then. The kinds of postings are those that there are, and one more.
alter table chain_event add column taken_back integer not null default 0 check (taken_back >= 0);
comment on column chain_event.taken_back is 'How often the same payment was taken back before: part of the ids of its postings.';

do $$
declare
  v_check text;
begin
  select pg_get_expr(conbin, conrelid) into strict v_check
  from pg_constraint where conname = 'ledger_posting_kind_is_known' and conrelid = 'ledger_posting'::regclass;
  alter table ledger_posting drop constraint ledger_posting_kind_is_known;
  execute format('alter table ledger_posting add constraint ledger_posting_kind_is_known check (%s) not valid',
    replace(v_check, 'ARRAY[', 'ARRAY[''taken-back''::text, '));
end $$;
