-- previous version: must be stopped
-- A payment on chain counts on a loan from the time of its block. What was done to the loan between the block and the crediting
-- is counted anew after it, so each change of a debt is kept with how the debt stood then.

create table loan_step (
  id        bigint primary key generated always as identity,
  loan_id   bigint not null references loan (id),
  at        timestamptz not null,
  day       date not null,
  kind      text not null check (kind in ('opened', 'payment', 'sale', 'schedule')),
  payer_id  bigint references member (id),
  charges   numeric(78, 0) not null default 0 check (charges >= 0)
            constraint loan_step_charges_is_a_number check (charges <> 'NaN'),
  fees      numeric(78, 0) not null default 0 check (fees >= 0)
            constraint loan_step_fees_is_a_number check (fees <> 'NaN'),
  interest  numeric(78, 0) not null default 0 check (interest >= 0)
            constraint loan_step_interest_is_a_number check (interest <> 'NaN'),
  principal numeric(78, 0) not null default 0 check (principal >= 0)
            constraint loan_step_principal_is_a_number check (principal <> 'NaN'),
  count     integer check (count > 0),
  standing  jsonb not null,
  check ((kind = 'schedule') = (count is not null))
);
create index loan_step_order on loan_step (loan_id, at, id);

comment on table loan_step is 'What was done to the debts of loans, in the order in which it counts. USDT base units. Old steps are deleted.';
comment on column loan_step.at is 'When it counts: of a payment on chain, the time of its block.';
comment on column loan_step.day is 'The UTC day up to which the loan was charged for it.';
comment on column loan_step.payer_id is 'Who gets back what a payment need not pay; null: the reserve.';
comment on column loan_step.charges is 'Late charges that it paid.';
comment on column loan_step.fees is 'Handling fees that it paid.';
comment on column loan_step.interest is 'Interest that it paid.';
comment on column loan_step.principal is 'Principal that it paid.';
comment on column loan_step.count is 'Installments that the loan was turned into.';
comment on column loan_step.standing is 'The debt and its due amounts after it.';

insert into loan_step (loan_id, at, day, kind, standing)
select l.id, now(), (now() at time zone 'UTC')::date, 'opened', jsonb_build_object(
  'principal', l.principal::text, 'interest_charged', l.interest_charged::text, 'interest_paid', l.interest_paid::text,
  'late_charged', l.late_charged::text, 'late_paid', l.late_paid::text, 'interest_through', l.interest_through, 'due_on', l.due_on,
  'dues', (
    select jsonb_agg(jsonb_build_object('number', d.number, 'dueOn', d.due_on, 'amount', d.amount::text, 'paid', d.paid::text,
      'fee', d.fee::text, 'feePaid', d.fee_paid::text, 'lateThrough', d.late_through) order by d.number)
    from loan_due d where d.loan_id = l.id))
from loan_with_debt l where l.closed_at is null;

alter table ledger_posting drop constraint ledger_posting_kind_is_known;
alter table ledger_posting add constraint ledger_posting_kind_is_known check (kind in (
  'deposit', 'unmatched', 'assigned', 'transfer', 'exchange', 'income', 'referral', 'withdrawal-hold', 'withdrawal-release',
  'withdrawal-reverted', 'withdrawal', 'fund-in', 'fund-out', 'loan', 'repayment', 'pledge', 'pledge-return', 'lever-open',
  'lever-close', 'interest-correction', 'purchase', 'revenue', 'service-fee', 'suspense', 'desk-stock', 'reconciliation',
  'interest', 'late-charge', 'interest-waiver', 'liquidation', 'fund-earnings', 'deficit', 'deficit-reserve', 'deficit-fund',
  'fund-capital')) not valid;
