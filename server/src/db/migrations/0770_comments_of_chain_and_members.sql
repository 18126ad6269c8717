-- previous version: works
-- What each column is, for everybody who looks at the database. Chain, members, operators.

comment on table schema_migration is 'Which changes of the schema were applied.';

comment on column chain_block.number is 'Number of the block on chain.';
comment on column chain_block.hash is 'Hash of the block, as the node gave it.';
comment on column chain_block.parent_hash is 'Hash of the block before it.';

comment on column chain_cursor.only_row is 'Always true: there is one row.';
comment on column chain_cursor.chain_id is 'EIP-155 number of the chain.';
comment on column chain_cursor.gateway is 'Address of the contract whose logs are recorded.';
comment on column chain_cursor.start_block is 'Block in which the contract was deployed; nothing before it is read.';
comment on column chain_cursor.followed_hash is 'Hash of the block `followed`; null before the first one.';

comment on column chain_dispute.ruled_at is 'When the second operator signed it, by the clock of the database.';

comment on column chain_event.id is 'Ours, in the order of recording.';
comment on column chain_event.tx_hash is 'Hash of the transaction that made the log.';
comment on column chain_event.block_number is 'Number of the block that has the transaction.';
comment on column chain_event.block_hash is 'Hash of the block that has the transaction.';
comment on column chain_event.reference is
  'What the payer wrote beside the action: number of an order, announcement or loan, day of revenue; of `paid` the payout id.';
comment on column chain_event.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column chain_event.amount is 'Base units of the asset.';
comment on column chain_event.state is 'recorded: the log is known. credited: its postings are in the ledger.';
comment on column chain_event.credited_at is 'When it was credited, by our clock.';
comment on column chain_event.failures is 'How often crediting it has failed in a row.';
comment on column chain_event.last_failure is 'Why crediting failed the last time; null without a failure.';
comment on column chain_event.retry_at is 'When crediting is tried again after a failure, by our clock.';

comment on column foreign_payout.id is 'chain_event.id of the payment.';
comment on column foreign_payout.payout_id is 'What the contract was told to pay: 32 bytes in hexadecimal.';
comment on column foreign_payout.tx_hash is 'Hash of the transaction that paid.';
comment on column foreign_payout.block_number is 'Number of the block that has the transaction.';
comment on column foreign_payout.asset is 'Code of the asset: JU, USDT or HASH.';
comment on column foreign_payout.amount is 'What was paid, in base units of the asset.';
comment on column foreign_payout.to_address is 'Who received it, in lower case.';

comment on column pair_quarter.asset is 'Code of the asset that the pair trades for USDT.';
comment on column pair_quarter.pair is 'Address of the exchange pair.';
comment on column pair_quarter.cumulative is 'Cumulative price of its first observation, as in price_observation.';

comment on column price_history.asset is 'Code of the asset whose price it is.';
comment on column price_history.block_number is 'Number of the block of its last observation.';
comment on column price_history.price is 'Spot price of its last observation.';
comment on column price_history.lowest is 'The lowest price that was observed within the quarter.';
comment on column price_history.highest is 'The highest price that was observed within the quarter.';

comment on column price_measure.asset is 'Code of the asset that the pair trades for USDT.';
comment on column price_measure.week_cumulative is 'Cumulative price of the pair at week_at, as in price_observation.';

comment on column price_observation.asset is 'Code of the asset that the pair trades for USDT.';
comment on column price_observation.block_number is 'Number of the block at which the pair was read.';
comment on column price_observation.pair is 'Address of the exchange pair.';
comment on column price_observation.asset_reserve is 'What the pair held of the asset, in its base units.';
comment on column price_observation.usdt_reserve is 'What the pair held of USDT, in its base units.';

comment on column price_reference.asset is 'Code of the asset whose price it is.';

comment on column free_command.member_id is 'The member that made them.';
comment on column free_command.day is 'The last UTC day on which the member made one.';
comment on column free_command.made is 'How many were made on that day.';

comment on column lease.name is 'What is leased; today only the loops and periodic tasks together.';

comment on column request_log.member_id is 'The member that made the call.';
comment on column request_log.created_at is 'When the call came, by our clock.';

comment on column schema_migration.number is 'Number in the name of the file; they are applied in this order.';
comment on column schema_migration.name is 'Name of the file.';
comment on column schema_migration.hash is 'SHA-256 of the text of the file.';
comment on column schema_migration.works_from is 'Servers whose last migration is this one or a later one run beside it; null: none do.';
comment on column schema_migration.applied_at is 'When it was applied, by the clock of the database.';

comment on column installation.only_row is 'Always true: there is one row.';
comment on column installation.id is 'Random: names this installation.';

comment on column operator.name is 'Name that the operator is called by.';
comment on column operator.key is 'Public key (Ed25519) that the operator signs with.';
comment on column operator.added_at is 'When two operators, or the first setup, added it.';
comment on column operator.removed_at is 'When it was removed; null for one that may sign.';

comment on column operator_audit.id is 'In the order in which commands came.';
comment on column operator_audit.command is 'Name of the command.';
comment on column operator_audit.input is 'Arguments of the command, as they were signed.';
comment on column operator_audit.at is 'When it was done, by the clock of the database.';
comment on column operator_audit.signature is 'Signature of the operator over command, input, number and service.';
comment on column operator_audit.proposal is 'The proposal that it made, signed or ended; null for none.';

comment on column operator_proposal.id is 'In the order in which they were proposed.';
comment on column operator_proposal.command is 'Name of the proposed command.';
comment on column operator_proposal.input is 'Arguments of the proposed command.';
comment on column operator_proposal.proposed_by is 'Name of the operator who signed it first.';
comment on column operator_proposal.proposed_at is 'When it was proposed, by the clock of the database.';
comment on column operator_proposal.expires_at is 'Until when a second operator can sign it.';
comment on column operator_proposal.ended_at is 'When it ended; null while it is open.';

comment on column setting.key is 'Name of the setting, as in the operations manual.';
comment on column setting.value is 'What was set, as JSON.';
comment on column setting.updated_at is 'When it was set, by the clock of the database.';

comment on column login_key.single is 'Always true: there is one row.';
comment on column login_key.key is 'Random secret.';

comment on column session.id is 'Names the session to its member, who can end it by this.';
comment on column session.member_id is 'Who signed in.';
comment on column session.created_at is 'When it was signed in.';
comment on column session.seen_at is 'When it last made a call; written every few minutes at most.';
comment on column session.expires_at is 'Until when its token is taken.';
comment on column session.user_agent is 'What the browser called itself when it signed in.';

comment on column used_nonce.nonce is 'Random text of the login message that was signed.';
comment on column used_nonce.expires_at is 'Until when the message could be used again.';

comment on column member.id is 'Ours; accounts of the ledger are numbered by it.';
comment on column member.uid is 'The number that the member and others see.';
comment on column member.joined_at is 'When the account was made, by our clock.';

comment on column member_count.change is '1 for a member that joined, -1 for one that left; sums of these once they were added up.';
comment on column member_count.id is 'Ours, without a meaning.';

comment on column member_referrals.inviter_id is 'The member who invited.';
comment on column member_referrals.referrals is 'How many members have this one as their inviter.';

comment on column root_invitation.code is 'What is entered to join.';
comment on column root_invitation.note is 'What the code is for, in the operator''s words.';
comment on column root_invitation.created_at is 'When the operator made it.';
comment on column root_invitation.closed_at is 'When it stopped to bring in members; null while it does.';

comment on column notice.id is 'In the order in which they were written.';
comment on column notice.member_id is 'Who is told.';
comment on column notice.kind is 'What kind of thing happened.';
comment on column notice.at is 'When it happened: of a posting the time that it tells, of a payment the time of its block.';
comment on column notice.read_at is 'When the member marked it as read; null while it is unread.';

comment on column notice_gathered.account is 'Number of a ledger account of a member.';
comment on column notice_gathered.posting is 'Entries up to this posting (ledger_posting.seq) were looked at.';
comment on column notice_gathered.read_at is 'When the member marked them as read.';

comment on column notice_reader.member_id is 'The member who read.';
comment on column notice_reader.read_to is 'notice.id of the newest one that was marked.';
comment on column notice_reader.read_at is 'When the member marked them, by our clock.';

comment on column performance.member_id is 'Whose purchases and team it is.';
comment on column performance.own is 'What the member bought.';
comment on column performance.score is 'team less largest: what the rank is of.';
comment on column performance.bucket is 'Group of scores that the member is counted in: performance_bucket(score).';

comment on column performance_count.bucket is 'Group of scores: performance_bucket(score).';
comment on column performance_count.members is 'How many members of the board are in the group.';

comment on column performance_day.member_id is 'Whose purchases and direct invitees it is.';
comment on column performance_day.own is 'What the member bought on the day.';
comment on column performance_day.direct is 'What its direct invitees bought on the day.';
comment on column performance_day.score is 'own and direct together: what the rank is of.';
comment on column performance_day.bucket is 'Group of scores that the member is counted in: performance_bucket(score).';

comment on column performance_due.order_id is 'power_order.id of the purchase.';
comment on column performance_due.member_id is 'Who bought.';
comment on column performance_due.amount is 'What the order cost.';
comment on column performance_due.at is 'When the purchase was confirmed; it counts on this UTC day.';

comment on column performance_rising.member_id is 'Whose team has gained.';
comment on column performance_rising.amount is 'What the team has gained.';
