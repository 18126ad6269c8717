-- previous version: works
-- What each column is, for everybody who looks at the database. Money that comes, moves and goes; the ledger.

comment on column booked_difference.reconciliation_id is 'The comparison that found it.';
comment on column booked_difference.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column booked_difference.note is 'Why, in the operator''s words.';
comment on column booked_difference.booked_at is 'When the operator booked it.';

comment on column deposit.id is 'In the order of the announcements.';
comment on column deposit.deposit_no is 'Number that the member sees and the payment names.';
comment on column deposit.member_id is 'Who announced it.';
comment on column deposit.asset is 'Code of the announced asset: JU, USDT or HASH.';
comment on column deposit.created_at is 'When it was announced, by our clock.';

comment on column deposit_receipt.chain_event_id is 'The payment.';
comment on column deposit_receipt.member_id is 'Whose balance it went to.';

comment on column dust_payment.tx_hash is 'Hash of the transaction that paid.';
comment on column dust_payment.tx_position is 'As in chain_event.';
comment on column dust_payment.asset is 'Code of the asset: JU, USDT or HASH.';

comment on column dust_sum.posting_id is 'ledger_posting.id of the sum.';
comment on column dust_sum.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column dust_sum.payments is 'How many payments are in the sum.';
comment on column dust_sum.day is 'The UTC day of the blocks of its payments.';

comment on column suspense_assignment.tx_hash is 'Hash of the transaction that paid.';
comment on column suspense_assignment.tx_position is 'As in chain_event.';
comment on column suspense_assignment.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column suspense_assignment.amount is 'What was given away: the whole payment.';
comment on column suspense_assignment.target is 'member: to the balance of member_id. desk: to the exchange desk.';
comment on column suspense_assignment.member_id is 'Who got it; null where the desk did.';
comment on column suspense_assignment.assigned_at is 'When the operator gave it.';

comment on column surplus_assignment.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column surplus_assignment.target is 'member: to the balance of member_id. desk: to the exchange desk.';
comment on column surplus_assignment.member_id is 'Who got it; null where the desk did.';
comment on column surplus_assignment.note is 'Why, in the operator''s words.';
comment on column surplus_assignment.assigned_at is 'When the operator gave it.';
comment on column surplus_assignment.id is 'Ours, in the order of giving.';

comment on column reconciliation.id is 'In the order of the comparisons.';
comment on column reconciliation.block_number is 'Block at which the contract was asked what it holds.';
comment on column reconciliation.block_hash is 'Hash of that block.';
comment on column reconciliation.at is 'When the comparison was made, by our clock.';

comment on column reconciliation_line.reconciliation_id is 'The comparison.';
comment on column reconciliation_line.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column reconciliation_line.expected is 'What the contract should hold, computed from the books at that block.';
comment on column reconciliation_line.found is 'What the contract held at that block.';

comment on column desk_flow.asset is 'Code of the asset: JU, USDT or HASH.';

comment on column exchange.id is 'In the order of the exchanges.';
comment on column exchange.exchange_no is 'Number that the member sees.';
comment on column exchange.quote_id is 'The quote that was accepted.';
comment on column exchange.member_id is 'Whose balances were exchanged.';
comment on column exchange.from_asset is 'Code of the asset that was given.';
comment on column exchange.to_asset is 'Code of the asset that was received.';
comment on column exchange.amount_in is 'What was given, in base units of from_asset.';
comment on column exchange.base_fee_ppm is 'Fee before the discount, in millionths.';
comment on column exchange.level is 'Level of the member that the discount is for, from 0.';
comment on column exchange.amount_out is 'What was received after the fee, in base units of to_asset.';
comment on column exchange.fee is 'What the desk kept, in base units of to_asset.';
comment on column exchange.quoted_out is 'What the quote said would be received, in base units of to_asset.';
comment on column exchange.min_received is 'The least that the member agreed to, in base units of to_asset.';
comment on column exchange.created_at is 'When it was done, by our clock.';

comment on column exchange_quote.id is 'In the order of the quotes.';
comment on column exchange_quote.quote_no is 'Number by which the member accepts it.';
comment on column exchange_quote.member_id is 'Who asked.';
comment on column exchange_quote.from_asset is 'Code of the asset to be given.';
comment on column exchange_quote.to_asset is 'Code of the asset to be received.';
comment on column exchange_quote.amount_in is 'What would be given, in base units of from_asset.';
comment on column exchange_quote.base_fee_ppm is 'Fee before the discount, in millionths.';
comment on column exchange_quote.level is 'Level of the member that the discount is for, from 0.';
comment on column exchange_quote.amount_out is 'What would be received after the fee, in base units of to_asset.';
comment on column exchange_quote.fee is 'What the desk would keep, in base units of to_asset.';
comment on column exchange_quote.created_at is 'When it was asked for, by our clock.';
comment on column exchange_quote.expires_at is 'Until when it can be accepted.';

comment on column exchange_quote_sweep.only_row is 'Always true: there is one row.';

comment on column expected_payout.payout_id is 'What the contract pays once: 32 bytes in hexadecimal.';
comment on column expected_payout.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column expected_payout.to_address is 'Who receives it, in lower case.';

comment on column fresh_use.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column fresh_use.at is 'When `used` was computed, by our clock.';

comment on column payer.address is 'Address of the account, in lower case.';
comment on column payer.next_nonce is 'Nonce of the next transaction that it signs.';

comment on column payout_cap.asset is 'Code of the asset: JU, USDT or HASH.';

comment on table payout_nonce_use is 'Which transaction used the nonce of a withdrawal where it is in a block and is none of ours.';
comment on column payout_nonce_use.withdrawal_id is 'The withdrawal whose nonce was used.';
comment on column payout_nonce_use.tx_hash is 'Hash of the transaction that used it.';
comment on column payout_nonce_use.block_number is 'Number of the block that has the transaction.';
comment on column payout_nonce_use.block_hash is 'Hash of the block that has the transaction.';
comment on column payout_nonce_use.found_at is 'When it was found, by our clock.';

comment on column payout_round.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column payout_round.at is 'When the round was, by our clock.';

comment on column payout_transaction.hash is 'Hash of the transaction.';
comment on column payout_transaction.withdrawal_id is 'The withdrawal that it pays.';
comment on column payout_transaction.payer is 'Address of the account that signed it.';
comment on column payout_transaction.nonce is 'Nonce of that account.';
comment on column payout_transaction.raw is 'The signed transaction, in hexadecimal.';
comment on column payout_transaction.gas is 'The most gas that it may use.';
comment on column payout_transaction.signed_at is 'When it was signed, by our clock.';

comment on column withdrawal.id is 'In the order of asking.';
comment on column withdrawal.withdrawal_no is 'Number that the member sees.';
comment on column withdrawal.member_id is 'Who asked.';
comment on column withdrawal.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column withdrawal.fee is 'What the platform keeps of the amount, in base units of the asset.';
comment on column withdrawal.to_address is 'Who receives it: the member''s own wallet, in lower case.';
comment on column withdrawal.reason is 'Why it is in its state, where that is not usual: a code.';
comment on column withdrawal.note is 'What the operator wrote when it was rejected, or about it; null for nothing.';
comment on column withdrawal.payer is 'Address of the account that pays it; null before it has a nonce.';
comment on column withdrawal.nonce is 'Nonce of the payer that it has for good; null before it is signed.';
comment on column withdrawal.created_at is 'When it was asked for, by our clock.';
comment on column withdrawal.changed_at is 'When its state last changed, by our clock.';

comment on column withdrawal_approval.withdrawal_id is 'The withdrawal.';
comment on column withdrawal_approval.operator is 'Name of the operator.';
comment on column withdrawal_approval.at is 'When the operator approved, by the clock of the database.';

comment on column withdrawal_step.id is 'In the order of the steps.';
comment on column withdrawal_step.withdrawal_id is 'The withdrawal.';
comment on column withdrawal_step.state is 'The state that it came into.';
comment on column withdrawal_step.tx_hash is 'Hash of the transaction that paid it; null for other steps.';
comment on column withdrawal_step.at is 'When it came into the state, by our clock.';

comment on column ledger_account.id is
  'Owner × 100000 + kind of account × 100 + asset; owner 0 is the platform, others are members, or loans for accounts of loans.';
comment on column ledger_account.balance is
  'What the account has after its last entry, in base units. Below zero only where it may be: what is owed, or lies outside.';
comment on column ledger_account.version is 'How many entries the account has; of rolled-up ones how many were added up.';

comment on column ledger_audit_finding.id is 'In the order of finding.';
comment on column ledger_audit_finding.rule is 'Which rule does not hold.';
comment on column ledger_audit_finding.subject is 'What it does not hold of: an account, a posting or a range.';
comment on column ledger_audit_finding.details is 'What was expected, and what is there.';
comment on column ledger_audit_finding.found_at is 'When it was first found, by our clock.';
comment on column ledger_audit_finding.found_in is 'The round that first found it.';
comment on column ledger_audit_finding.seen_in is 'The last round that found it.';
comment on column ledger_audit_finding.accepted_at is 'When an operator accepted it; null while nobody did.';

comment on column ledger_audit_range.last_posting is 'ledger_posting.seq of its last posting.';
comment on column ledger_audit_range.postings is 'How many postings it has.';
comment on column ledger_audit_range.entries is 'How many entries its postings have.';
comment on column ledger_audit_range.sealed_in is 'The round that computed the digest.';

comment on column ledger_audit_round.id is 'In the order of the rounds.';
comment on column ledger_audit_round.started_at is 'When it began, by our clock.';

comment on column ledger_audit_sum.account is 'Number of the account, as in ledger_account.';
comment on column ledger_audit_sum.balance is 'Sum of the amounts of its entries.';
comment on column ledger_audit_sum.entries is 'How many entries were added up.';

comment on column ledger_balance.account is 'Number of the account, as in ledger_account.';
comment on column ledger_balance.balance is 'What the account has, in base units.';
comment on column ledger_balance.entries is 'How many entries the account has.';

comment on column ledger_day.first_seq is 'ledger_posting.seq of the first posting that tells a time of the day.';
comment on column ledger_day.last_seq is 'ledger_posting.seq of the last one.';

comment on column ledger_day_mark.only_row is 'Always true: there is one row.';
comment on column ledger_day_mark.next_after is 'Number of a transaction of the database.';

comment on column ledger_delta.account is 'Number of the rolled-up account, as in ledger_account.';
comment on column ledger_delta.amount is 'What the account gained; negative for what it gave.';
comment on column ledger_delta.entries is 'How many entries the amount is the sum of.';
comment on column ledger_delta.id is 'Ours, without a meaning.';

comment on column ledger_entry.posting is 'ledger_posting.seq of the posting that it is a line of.';
comment on column ledger_entry.line is 'Its place in the posting, from 1.';
comment on column ledger_entry.account is 'Number of the account, as in ledger_account.';
comment on column ledger_entry.version is 'Which entry of the account it is, from 1; null for rolled-up accounts.';

comment on column ledger_partition.number is 'From 1, the oldest first.';

comment on column ledger_posting.id is 'Follows from what is posted, so that the same event is posted once.';
comment on column ledger_posting.kind is 'What happened, in one word: the columns of memo follow from it.';
comment on column ledger_posting.memo is 'What the posting is about, as JSON: numbers, hashes, addresses.';
comment on column ledger_posting.occurred_at is 'When it happened: of a payment the time of its block, else our clock.';
