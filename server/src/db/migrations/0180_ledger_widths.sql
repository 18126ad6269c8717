-- A sum of amounts must not fail where each amount fits. An amount has at most 78 digits (uint256) and there are fewer than
-- 2^63 entries, so no sum of entries has more than 97 digits: 100 digits hold every balance, also one that a batch would
-- reach before a floor refuses it. Otherwise one member's amounts would fail the postings of those in the same batch.
-- Widening a numeric rewrites no table.
drop view ledger_balance;
alter table ledger_account alter column balance type numeric(100, 0);
alter table ledger_entry alter column amount type numeric(100, 0), alter column balance type numeric(100, 0);
alter table ledger_delta alter column amount type numeric(100, 0);
create view ledger_balance as
select account, sum(balance)::numeric(100, 0) as balance, sum(entries)::bigint as entries
from (
  select id as account, balance, version as entries from ledger_account
  union all
  select account, amount, entries from ledger_delta
) parts
group by account;
comment on view ledger_balance is 'Balances at any moment, rolled-up accounts included, in base units.';

-- Sums of what came from the chain.
alter table income_day
  alter column revenue type numeric(100, 0), alter column carried_in type numeric(100, 0),
  alter column fee type numeric(100, 0), alter column paid type numeric(100, 0);
alter table income_day_plan alter column fee type numeric(100, 0);
alter table reconciliation_line alter column expected type numeric(100, 0), alter column found type numeric(100, 0);
