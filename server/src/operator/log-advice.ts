import type { LogEvent } from '../kernel/log-events.ts'

/**
 * The advice for an operator when the log has an event. Every event that is written as a warning or worse stands here. Words in
 * quotation marks are sections of docs/operate/.
 */
export const logAdvice: Readonly<Partial<Record<LogEvent, string>>> = {
  'server.failed': 'the server has ended: read the reason, start it again',
  'server.crashed': 'the server has ended: read the reason, start it again',
  'server.stop-timed-out': 'nothing is lost; look at what made calls or loops slow',
  'log.lines-lost':
    'what reads standard output had stopped reading: look at it; `lines` are missing, the service was not held up',
  'call.failed': 'a fault of the server: report `err` with the call id',
  'http.request-failed': 'a fault of the server: report `err` with the call id',
  'call.busy':
    "somebody holds a lock for seconds: `select pid, pg_blocking_pids(pid), query from pg_stat_activity where wait_event_type = 'Lock'`",
  'redis.not-reached':
    'calls are refused or have wider limits until `redis.reached`: look at `reason`, see "Redis between several servers" in operations',
  'loop.failed':
    'the work named by `loop` waits until `loop.recovered`; look at `err`, most often the node or Postgres',
  'worker.library-reported': 'a periodic task failed; it is repeated with growing pauses',
  'worker.time-set-back': 'find the server whose clock was ahead; the tasks run now',
  'worker.ended': 'periodic tasks wait; look at Postgres if it lasts',
  'worker.start-failed': 'periodic tasks wait; look at Postgres if it lasts',
  'price.halted': 'PriceHalted in the runbook',
  'crediting.halted': 'CreditingHalted in the runbook',
  'crediting.payment-set-aside': '`chain trouble` lists it with its reason; it is tried again',
  'node.lacks': '`chain check`; use another node: "The node" in operations',
  'node.left': 'start the node again, or take it out of `RPC_URL`',
  'node.back': 'nothing',
  'node.outvoted': 'NodeOutvoted in the runbook',
  'nodes.disagree': 'see "Several nodes" in operations',
  'crediting.payment-denied': 'see "Several nodes" in operations',
  'follower.reorganisation-recorded': 'nothing; many of them, or deep ones, mean that more confirmations are needed',
  'reconciliation.withdrawals-paused': 'WithdrawalsPaused in the runbook',
  'reconciliation.difference-found': 'look at `finding`; withdrawals pause if it lasts',
  'reconciliation.withdrawals-resumed': 'nothing',
  'ledger.audit-failed': 'AuditFinding in the runbook',
  'ledger.audit-passed-again': 'nothing',
  'proof.overdue': 'AttestationOld in the runbook',
  'proof.failed': 'AttestationOld in the runbook',
  'proof.sums-differ': 'nothing is attested: AuditFinding and AttestationOld in the runbook',
  'proof.waits': 'look at `reason`; it is tried again',
  'proof.refused-by-node': 'look at `reason`; it is tried again',
  'proof.replaced': 'nothing',
  'payout.undecided':
    'look in an explorer which transaction of the payer has this nonce, then `withdrawal end`: "The node" in operations',
  'payout.unknown-payment-reported':
    "the node's blocks and its contract state disagree: check the node; the withdrawal waits",
  'payout.failed': "the amount is the member's again; `reverted`: less the fee, because of its wallet",
  'withdrawal.failed': "the amount is the member's again; `reverted`: less the fee, because of its wallet",
  'withdrawal.in-review': 'WithdrawalsInReview in the runbook',
  'payout.price-limit-reached': 'raise `payoutGasPriceGwei`, or wait for cheaper gas',
  'payout.blocked': 'see "JuChain" in operations',
  'payout.replaced': 'nothing; many of them mean that payouts are signed at too low a gas price',
  'payout.refused-by-node': 'look at `reason`; it is offered again every 30 seconds',
  'payout.asset-waits': 'PayoutsStuck in the runbook',
  'withdrawal.postponed': 'PayoutsStuck in the runbook',
  'payer.key-missing': 'set `PAYER_KEY_FILE` on the server that should pay',
  'attester.key-missing': 'set `ATTESTER_KEY_FILE` on the server that should attest',
  'payout.foreign': 'PayoutForeign in the runbook',
  'proof.exit':
    'the contract has ended the service: nothing but claims; say so to members, and keep the service running for reads',
  'contract.notice': 'ContractNotice in the runbook: was it you? Else "The owner\'s key is stolen" there',
  'proof.foreign': 'AttestationForeign in the runbook',
  'payer.check-skipped': 'the node did not answer at the start: look at it if `loop.failed` follows',
  'attester.check-skipped': 'the node did not answer at the start: look at it if `loop.failed` follows',
  'chain.check-skipped': 'the node did not answer at the start: look at it if `loop.failed` follows',
  'signature.check-failed': 'look at the node; people with contract wallets get code 5032',
  'database.connection-lost': 'look at Postgres if it lasts; both recover automatically',
  'lease.clock-wrong': 'set the clock of the machine (NTP); another server does the work',
  'lease.not-reached': 'look at Postgres if it lasts; both recover automatically',
  'standby.unused': 'nothing fails: the primary answers; look at the standby when `standby.used` does not follow',
  'lease.lost': 'another server runs the loops: find out why this one was paused, cut off or too busy',
  'lease.work-failed': 'the loops do not begin: look at `err`, most often Postgres at `DATABASE_DIRECT_URL`',
  'health.check-failed': 'the part is named by `part`; `/readyz` answers 503',
  'metrics.read-failed': 'Prometheus got 503; look at Postgres and the node',
}
