-- previous version: works
-- What no part of the service writes is refused by the tables too, so that a mistake shows where it is made.

do $$
declare
  v_column record;
begin
  for v_column in
    select c.oid::regclass as in_table, a.attname as name, c.relname = 'chain_event' as is_large
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'text'::regtype and a.attname in ('asset', 'from_asset', 'to_asset')
  loop
    execute format('alter table %s add constraint %I check (%I in (''JU'', ''USDT'', ''HASH''))%s', v_column.in_table,
      v_column.name || '_is_known', v_column.name, case when v_column.is_large then ' not valid' else '' end);
  end loop;
end $$;

alter table ledger_posting add constraint ledger_posting_kind_is_known check (kind in (
  'deposit', 'unmatched', 'assigned', 'transfer', 'exchange', 'income', 'referral', 'withdrawal-hold', 'withdrawal-release',
  'withdrawal-reverted', 'withdrawal', 'fund-in', 'fund-out', 'loan', 'repayment', 'pledge', 'pledge-return', 'lever-open',
  'lever-close', 'purchase', 'revenue', 'service-fee', 'suspense', 'desk-stock', 'reconciliation', 'interest', 'late-charge',
  'liquidation', 'fund-earnings', 'deficit', 'deficit-reserve', 'deficit-fund', 'fund-capital')) not valid;

alter table withdrawal add constraint withdrawal_worth_is_positive check (worth_usdt >= 0);

-- Whoever invites was there before: so no chain of inviters leads back to where it began.
alter table member add constraint member_inviter_came_before check (inviter_id < id);

-- A session may be ended by another server, whose clock differs.
alter table session
  add constraint session_ends_after_it_begins check (expires_at > created_at),
  add constraint session_ended_after_it_began check (ended_at > created_at - interval '5 minutes');
