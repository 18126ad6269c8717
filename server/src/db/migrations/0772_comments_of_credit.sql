-- previous version: works
-- What each column is, for everybody who looks at the database. Power, income, the fund, loans, proofs.

comment on column member_power.member_id is 'Whose power it is.';
comment on column member_power.active_units is 'Units that earn now.';

comment on column power_log.id is 'In the order of the changes.';
comment on column power_log.member_id is 'Whose power changed.';
comment on column power_log.order_id is 'The order by which it changed.';
comment on column power_log.kind is 'activated: the order was paid. expired: its term is over.';
comment on column power_log.at is 'When it changed: the time that the change counts from.';

comment on column power_order.id is 'In the order of ordering.';
comment on column power_order.order_no is 'Number that the member sees and the payment names.';
comment on column power_order.member_id is 'Who ordered.';
comment on column power_order.plan_id is 'What was ordered.';
comment on column power_order.units is 'How many units.';
comment on column power_order.cost_usdt is 'Worth of the order: units at the plan''s price, in USDT base units.';
comment on column power_order.asset is 'Code of the asset that it is paid with.';
comment on column power_order.payable is 'What has to be paid, in base units of the asset.';
comment on column power_order.state is
  'pending until it is paid; active while it earns, expired after its term; cancelled, late, mismatch, soldOut: nothing was bought.';
comment on column power_order.created_at is 'When it was made, by our clock.';
comment on column power_order.pay_before is 'Until when it is to be paid, as the member was told.';
comment on column power_order.term_days is 'How many days it earns.';

comment on column power_plan.id is 'Number that the endpoints name it by.';
comment on column power_plan.name is 'What members see, by language.';
comment on column power_plan.description is 'What members see, by language.';
comment on column power_plan.term_days is 'How many days an order earns.';
comment on column power_plan.min_units is 'The fewest units of an order.';
comment on column power_plan.max_units is 'The most units of an order.';
comment on column power_plan.total_units is 'How many units are sold at most.';
comment on column power_plan.created_at is 'When the operator made it.';
comment on column power_plan.closed_at is 'When the operator ended its sale; null while it is sold.';

comment on column power_total.change is 'Units that were added, or taken away; sums of these once they were added up.';
comment on column power_total.id is 'Ours, without a meaning.';

comment on column income_day.day is 'The UTC day that was shared.';
comment on column income_day.fee is 'What the platform kept.';
comment on column income_day.accounts is 'How many members have got a share so far.';
comment on column income_day.opened_at is 'When sharing began, by our clock.';
comment on column income_day.closed_at is 'When everybody had a share; null before.';

comment on column income_day_plan.day is 'The UTC day that was shared.';
comment on column income_day_plan.plan_id is 'The plan.';
comment on column income_day_plan.units is 'Units of the plan that earned on the day.';
comment on column income_day_plan.fee is 'What the platform kept of the plan''s part.';

comment on column income_deposit.chain_event_id is 'The payment of revenue.';
comment on column income_deposit.day is 'The UTC day on which it was shared.';

comment on column fund_deficit_notice.price_id is 'The fall of the share price that is told of.';

comment on column fund_member.member_id is 'The member.';
comment on column fund_member.paid_in is 'All that was moved into the fund.';
comment on column fund_member.paid_out is 'All that was moved out of the fund.';

comment on column fund_price.id is 'In the order of the changes.';
comment on column fund_price.loan_no is 'The loan that the loss is of; null for the close of a day.';
comment on column fund_price.at is 'When the price changed, by our clock.';
comment on column fund_price.assets_before is 'What the fund''s members had together before.';
comment on column fund_price.assets_after is 'What they had together after it.';
comment on column fund_price.shares is 'How many shares there were, in base units.';

comment on column loan.id is 'Ours, in the order of opening; accounts of the ledger are numbered by it.';
comment on column loan.loan_no is 'Number that the member sees and a payment names.';
comment on column loan.member_id is 'Who borrowed.';
comment on column loan.kind is
  'project: lent by a project on collateral that the member had. lever: collateral was bought at the desk with what was lent.';
comment on column loan.collateral_asset is 'Code of the asset that secures it.';
comment on column loan.grace_days is 'Days after a due day without late charges; after them the collateral of a leveraged loan is sold.';
comment on column loan.default_days is 'So many days after a due day collateral is sold for what was not paid.';
comment on column loan.liquidation_fee_ppm is 'Millionths of what a liquidation repays, which the platform takes beside it.';
comment on column loan.full_below is 'When less is owed, a liquidation repays everything, else half. USDT base units.';
comment on column loan.installment_fee is 'Handling fee of each installment. USDT base units.';
comment on column loan.opened_on is 'UTC day on which it was opened.';
comment on column loan.due_on is 'UTC day on which everything is due.';
comment on column loan.margin is 'What the member paid of a leveraged loan. USDT base units; null for other loans.';
comment on column loan.ratio_tenths is 'Margin and loan together over the margin, in tenths; null for other loans.';
comment on column loan.bought is 'What was bought with margin and loan, in base units of the collateral; null for other loans.';
comment on column loan.buy_price is 'What a whole unit cost at the desk. USDT base units; null for other loans.';
comment on column loan.state is 'active, installment (it is paid in parts), overdue, liquidating; repaid, liquidated, written-off: it is over.';
comment on column loan.collateral is 'What secures it now, in base units of the collateral.';
comment on column loan.created_at is 'When it was opened, by our clock.';
comment on column loan.closed_at is 'When it was over; null before.';

comment on column loan_day.day is 'The UTC day whose interest is charged.';
comment on column loan_day.loans is 'How many loans were charged so far.';
comment on column loan_day.interest is 'What they were charged together. USDT base units.';
comment on column loan_day.opened_at is 'When charging began, by our clock.';
comment on column loan_day.closed_at is 'When all loans were charged; null before.';

comment on column loan_debt.loan_id is 'The loan.';
comment on column loan_debt.project_id is 'The project that lent it; null of leveraged loans.';
comment on column loan_debt.principal is 'What was lent and is not paid back.';
comment on column loan_debt.interest_charged is 'Interest charged since it was opened.';
comment on column loan_debt.interest_paid is 'What was paid of the interest since it was opened.';
comment on column loan_debt.late_charged is 'Late charges since it was opened.';
comment on column loan_debt.late_paid is 'What was paid of the late charges since it was opened.';

comment on column loan_due.loan_id is 'The loan.';
comment on column loan_due.number is 'From 1, in the order of their days.';
comment on column loan_due.due_on is 'UTC day on which it is due.';
comment on column loan_due.paid is 'What was paid of the amount.';
comment on column loan_due.fee is 'Handling fee that is due with it.';
comment on column loan_due.fee_paid is 'What was paid of the fee.';

comment on column loan_liquidation.id is 'In the order of the sales.';
comment on column loan_liquidation.liquidation_no is 'Number that the member sees.';
comment on column loan_liquidation.loan_id is 'The loan whose collateral was sold.';
comment on column loan_liquidation.reason is
  'line: the price reached the clearing line. default: an amount was not paid for too long. term: the term of a leveraged loan was over.';
comment on column loan_liquidation.is_full is 'True when everything that was owed was to be repaid, false for half of it.';
comment on column loan_liquidation.principal is 'What was lent and not paid back before it. USDT base units.';
comment on column loan_liquidation.interest is 'Interest that was owed before it. USDT base units.';
comment on column loan_liquidation.charges is 'Late charges that were owed before it. USDT base units.';
comment on column loan_liquidation.collateral is 'Collateral before it, in base units of its asset.';
comment on column loan_liquidation.watch_price is 'The price that decided. USDT base units per whole unit.';
comment on column loan_liquidation.sale_price is 'The price that the desk paid. USDT base units per whole unit.';
comment on column loan_liquidation.spot is 'The pair''s price at the block. USDT base units per whole unit.';
comment on column loan_liquidation.average_5 is 'Average of five minutes. USDT base units per whole unit.';
comment on column loan_liquidation.average_30 is 'Average of half an hour. USDT base units per whole unit.';
comment on column loan_liquidation.pair is 'Address of the exchange pair that was observed.';
comment on column loan_liquidation.block_number is 'Number of the block at which the pair was read.';
comment on column loan_liquidation.observed_at is 'The own time of that block.';
comment on column loan_liquidation.desk_usdt is 'What the desk could pay. USDT base units.';
comment on column loan_liquidation.sold is 'Collateral that was sold, in base units of its asset.';
comment on column loan_liquidation.proceeds is 'What the desk paid for it. USDT base units.';
comment on column loan_liquidation.repaid is 'What of it went to the debt. USDT base units.';
comment on column loan_liquidation.fee is 'What of it the platform kept. USDT base units.';
comment on column loan_liquidation.returned is 'Collateral that went back to the member, in base units of its asset.';
comment on column loan_liquidation.shortfall is 'What nobody paid of the debt once all collateral was gone. USDT base units.';
comment on column loan_liquidation.reserve_paid is 'What the reserve paid of the shortfall. USDT base units.';
comment on column loan_liquidation.fund_lost is 'What the members of the fund bore of it. USDT base units.';
comment on column loan_liquidation.is_incomplete is 'True when the desk could not pay for all that had to be sold.';
comment on column loan_liquidation.at is 'When it was sold, by our clock.';

comment on column loan_step.id is 'In the order of writing.';
comment on column loan_step.loan_id is 'The loan.';
comment on column loan_step.kind is 'opened, payment, sale of collateral, or schedule (it became one of installments).';

comment on column loan_wait.loan_id is 'The loan.';
comment on column loan_wait.since is 'When holding it back began, by our clock.';

comment on column project.id is 'Ours, in the order of making.';
comment on column project.project_no is 'Number that members see.';
comment on column project.name is 'What members see, by language.';
comment on column project.information is 'What members see, by language.';
comment on column project.collateral_asset is 'Code of the asset that it lends on.';
comment on column project.created_at is 'When the operator made it.';
comment on column project.closed_at is 'When it stopped to lend; null while it does.';

comment on column attestation.day is 'The UTC day of the snapshot.';
comment on column attestation.nonce is 'Nonce of the payer.';

comment on column attestation_request.day is 'The UTC day of the snapshot.';
comment on column attestation_request.at is 'When the operator asked.';

comment on column attestation_transaction.hash is 'Hash of the transaction.';
comment on column attestation_transaction.day is 'The UTC day of the snapshot that it attests.';
comment on column attestation_transaction.raw is 'The signed transaction, in hexadecimal.';
comment on column attestation_transaction.signed_at is 'When it was signed, by our clock.';

comment on column contract_attestation.only_row is 'Always true: there is one row.';
comment on column contract_attestation.root is 'Root that the contract names, in hexadecimal.';
comment on column contract_attestation.day is 'The UTC day that the contract names.';

comment on column contract_exit.only_row is 'Always true: there is one row at most.';
comment on column contract_exit.seen_at is 'When the contract was first seen to be in it, by our clock.';

comment on column proof_key.single is 'Always true: there is one row.';

comment on column proof_part.day is 'The UTC day of the snapshot.';
comment on column proof_part.member_id is 'The member.';
comment on column proof_part.collateral_ju is 'JU that secures loans of the member.';
comment on column proof_part.collateral_hash is 'HASH that secures loans of the member.';
comment on column proof_part.paid_hash is 'The same of HASH.';
comment on column proof_part.paid_ju is 'The same of JU.';

comment on column proof_piece.day is 'The UTC day of the snapshot.';
comment on column proof_piece.first_key is 'The least of `keys`; null above tier 0.';

comment on column proof_snapshot.day is 'The UTC day that it was taken on.';
comment on column proof_snapshot.taken_at is 'When it was taken, by our clock.';
comment on column proof_snapshot.root is 'Root of its tree, in hexadecimal.';
comment on column proof_snapshot.owed_usdt is 'USDT owed to all members together: the sum in the root.';
comment on column proof_snapshot.owed_hash is 'The same of HASH.';
comment on column proof_snapshot.owed_ju is 'The same of JU.';
comment on column proof_snapshot.held_hash is 'The same of HASH.';
comment on column proof_snapshot.held_ju is 'The same of JU.';
comment on column proof_snapshot.fund_shares is 'Shares of the money fund that all members had, in base units.';
comment on column proof_snapshot.price_hash is 'The same of HASH.';

-- Columns of a view mean what those of its table mean.
do $$
declare
  v_column record;
begin
  for v_column in
    select v.relname as in_view, a.attname as name, max(col_description(t.oid, b.attnum)) as comment
    from (values ('chain_payment', 'chain_event'), ('loan_with_debt', 'loan'), ('loan_with_debt', 'loan_debt')) of_table (view, name)
    join pg_class v on v.relname = of_table.view and v.relnamespace = current_schema()::regnamespace
    join pg_attribute a on a.attrelid = v.oid and a.attnum > 0 and not a.attisdropped and col_description(v.oid, a.attnum) is null
    join pg_class t on t.relname = of_table.name and t.relnamespace = current_schema()::regnamespace
    join pg_attribute b on b.attrelid = t.oid and b.attname = a.attname
    group by v.relname, a.attname
  loop
    execute format('comment on column %I.%I is %L', v_column.in_view, v_column.name, v_column.comment);
  end loop;
end $$;
