-- What the names of tables and columns do not say, for everybody who looks at the database. The row types in
-- server/src/db/tables are generated with these.

comment on table chain_block is 'Followed blocks near the head of the chain. Hashes in lower case.';
comment on column chain_block.at is 'The block''s own time.';

comment on table chain_cursor is 'One row: how far the chain is followed.';
comment on column chain_cursor.followed is
  'Last block whose events are recorded; confirmations are counted from it.';
comment on column chain_cursor.head is 'Head of the chain when it was last read.';
comment on column chain_cursor.halted_reason is 'Why crediting waits for the operator; null while it does not.';

comment on table chain_event is
  'Logs of the gateway. Amounts in base units; hashes and addresses in lower case. Modules read the view chain_payment.';
comment on column chain_event.log_index is 'Index in its block, which a reorganisation changes.';
comment on column chain_event.block_at is 'The block''s own time.';
comment on column chain_event.payer is 'Who called the contract and paid.';
comment on column chain_event.customer is 'For whom the payer says the payment is; who received a payout.';
comment on column chain_event.confirmations_needed is
  'Confirmations that this amount needs, its own block being the first.';
comment on column chain_event.outcome is 'Where the money ended; null until the event is credited.';
comment on column chain_event.orphaned_at is
  'Set while a credited payment is on no known block: a reorganisation removed it after it was credited.';

comment on view chain_payment is
  'Recorded logs of the gateway with what is derived of them. Amounts in base units; hashes and addresses in lower case.';
comment on column chain_payment.block_at is 'The block''s own time.';
comment on column chain_payment.confirmations is
  'From the last followed block, its own block being the first; at most what it needs.';
comment on column chain_payment.orphaned is 'Credited, and on no known block.';
comment on column chain_payment.failing is 'Could not be settled, and is tried again.';

comment on table price_observation is 'What the exchange pairs showed. Reserves in base units.';
comment on column price_observation.at is 'The block''s own time.';
comment on column price_observation.cumulative is
  'The pair''s cumulative price of the asset in USDT (UQ112x112 × seconds, modulo 2^256), brought forward to `at`.';

comment on table deposit is 'Deposits that members announced. Amounts in base units.';
comment on column deposit.amount is 'What was announced; what came is in the payment.';
comment on column deposit.lapses_at is
  'Shown as lapsed once the chain is past this without it; a later payment still counts.';
comment on table deposit_receipt is 'To whose balance each payment went.';
comment on column deposit_receipt.deposit_id is 'The announcement that it fulfilled; null for none.';
comment on table suspense_assignment is 'To whom the operator gave money without an owner. Amounts in base units.';

comment on table exchange_quote is 'What the exchange desk promised. Amounts in base units.';
comment on column exchange_quote.from_price is 'USDT base units per whole unit.';
comment on column exchange_quote.to_price is 'USDT base units per whole unit.';
comment on column exchange_quote.evidence is 'What both prices were chosen from, as the API gives it.';
comment on column exchange_quote.discount is 'Percent.';
comment on column exchange_quote.fee_ppm is 'Millionths.';
comment on table exchange is 'What the exchange desk did. Amounts in base units.';
comment on column exchange.from_price is 'USDT base units per whole unit.';
comment on column exchange.to_price is 'USDT base units per whole unit.';
comment on column exchange.evidence is 'What both prices were chosen from, as the API gives it.';
comment on column exchange.discount is 'Percent.';
comment on column exchange.fee_ppm is 'Millionths.';

comment on table income_day is 'Days whose revenue was shared. Amounts in HASH base units, days as "2026-01-31".';
comment on column income_day.revenue is 'Deposited for this day.';
comment on column income_day.carried_in is 'Left over by earlier days.';
comment on column income_day.total_units is 'Over all plans.';
comment on column income_day.paid is 'So far, while the day is being shared.';
comment on column income_day.paid_to_member is 'Members up to this one have their share.';
comment on table income_day_plan is 'The terms that a day was shared on. Amounts in HASH base units.';
comment on column income_day_plan.fee_ppm is 'Millionths of the output that the platform kept.';
comment on table income_deposit is 'Which deposit of revenue was shared on which day.';

comment on table ledger_posting is 'The journal. Written by the ledger''s SQL functions alone.';
comment on column ledger_posting.seq is 'Order of recording; for one account it is the order of its versions.';
comment on table ledger_entry is 'Lines of postings. Amounts in base units.';
comment on column ledger_entry.amount is 'Signed: what the account gained.';
comment on column ledger_entry.balance is 'After this entry; null for rolled-up accounts.';
comment on table ledger_account is 'Balances, in base units. Rolled-up accounts lack what is in ledger_delta.';
comment on table ledger_delta is 'What is not rolled up yet. Amounts in base units.';
comment on view ledger_balance is 'Balances at any moment, rolled-up accounts included, in base units.';

comment on table member is 'Members.';
comment on column member.address is 'Lower case.';
comment on column member.inviter_id is 'The member whose code was used; null below a root code.';
comment on column member.invitation_code is 'The code that this member shows to others.';
comment on column member.ju_uid is 'The member''s UID at the exchange, for display only.';
comment on table root_invitation is 'Invitation codes of the operator; they bring in members without an inviter.';
comment on table login_key is 'One row: the key that login messages are proved with.';
comment on table used_nonce is 'Nonces that signed somebody in, until their message would have expired.';
comment on table session is 'Devices that are or were signed in.';
comment on column session.token_hash is 'SHA-256 of the token.';
comment on column session.ended_at is 'When it was signed out; null while it was not.';
comment on table request_log is 'The first answer for each request id of a member.';
comment on table setting is 'What the operator has set; the others have their defaults.';
comment on table operator_audit is 'Each operator command that changed something.';

comment on table notice is 'What members are told.';
comment on column notice.params is 'As the endpoint table has them for this kind.';
comment on column notice.source is 'What it tells of; unique for each member.';
comment on table notice_gathered is 'How far the entries of a ledger account are made into notices.';

comment on table power_plan is 'Plans of computing power. Money in base units, power in whole units.';
comment on column power_plan.unit is 'Name of the unit, such as "T".';
comment on column power_plan.unit_price is 'USDT per unit.';
comment on column power_plan.units_left is 'Neither sold nor reserved.';
comment on column power_plan.service_fee_ppm is 'Millionths of the output that the platform keeps.';
comment on table power_order is
  'Orders of computing power. Money in base units, power in whole units, days as "2026-01-31".';
comment on column power_order.price is 'USDT base units per whole unit of `asset`.';
comment on column power_order.watch_until is 'After this an unpaid order is no longer matched.';
comment on column power_order.settled_at is 'When it left the state pending.';
comment on column power_order.starts_on is 'First UTC day that earns.';
comment on column power_order.ends_on is 'Last UTC day that earns.';
comment on column power_order.chain_event_id is 'The payment that settled the order.';
comment on table power_log is 'Changes of members'' active power.';
comment on column power_log.units is 'Signed change.';
comment on column power_log.total is 'Active power after it.';
comment on table member_power is 'Active power of each member that ever had some.';
comment on column member_power.purchased_usdt is 'Confirmed purchases, USDT base units.';

comment on table performance_due is 'Purchases that the ranking has not counted yet. USDT base units.';
comment on table performance is 'Purchases for ever, of members and of those below them. USDT base units.';
comment on column performance.team is 'Everybody below, at any depth.';
comment on column performance.largest is 'The largest among the direct invitees'' own and team together.';
comment on table performance_day is 'Purchases of one day. USDT base units.';
comment on column performance_day.day is 'A UTC day, "2026-11-21".';
comment on table performance_count is 'Members in each group of each board.';
comment on column performance_count.board is '"all" or a day.';

comment on table payer is 'Accounts that sign payouts; the row is locked by whoever signs.';
comment on table withdrawal is 'Withdrawals. Amounts in base units.';
comment on column withdrawal.payout_id is '32 bytes in hexadecimal: the contract pays each once.';
comment on column withdrawal.amount is 'Taken from the balance.';
comment on column withdrawal.payout_amount is 'What is received: the amount without the fee.';
comment on column withdrawal.worth_usdt is 'When it was asked for, in USDT base units.';
comment on column withdrawal.state is
  'As stored: a sent withdrawal whose payment is recorded on chain is shown as confirming.';
comment on column withdrawal.approvals is 'How many operators have to approve it.';
comment on column withdrawal.try_at is 'When a queued one that could not be paid is looked at again.';
comment on column withdrawal.trouble is 'Why it waits, in words for the operator.';
comment on view expected_payout is 'Payouts that are queued or sent, and not final. Amounts in base units.';
comment on column expected_payout.amount is 'What is received.';
comment on table payout_transaction is 'Signed transactions that pay withdrawals, all of one withdrawal with one nonce.';
comment on column payout_transaction.gas_price is 'Native base units per unit of gas.';
comment on column payout_transaction.broadcast_at is 'When a node first took it.';
comment on column payout_transaction.tried_at is 'When it was last offered to a node.';
comment on column payout_transaction.trouble is 'What the node had against it.';
comment on table withdrawal_step is 'States that a withdrawal went through.';
comment on table withdrawal_approval is 'Operators who approved a withdrawal.';
comment on table reconciliation is 'Comparisons of the books with the chain.';
comment on column reconciliation.paused is 'Withdrawals wait because of this comparison.';
comment on column reconciliation.finding is 'What differs, in words; null when nothing does.';
comment on table reconciliation_line is 'Per asset: what the books say, and what the chain says. Base units.';
