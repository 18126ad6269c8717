/**
 * Every event that a line of the log can be about, grouped by area, with what it means. Operators filter and alert on
 * these names, so a name keeps its meaning: one that is no longer written is deleted, and is not used for anything else.
 */
export const logEvents = {
  // The process.
  'server.started': 'The server has started: where it answers calls, the HTTP port is open.',
  'server.stop-requested':
    'A signal or a failure asked the server to stop; it is not ready, and answers until `DRAIN_MS` is over.',
  'server.stopped': 'Everything is closed and the process exits.',
  'server.stop-timed-out': 'Stopping took too long; the process exits with work unfinished.',
  'server.failed': 'A part that the server needs has failed for good; the server stops.',
  'server.crashed': 'An error that nothing handles; the process exits at once.',
  'log.lines-lost': 'Lines of the log were lost, because nobody read standard output.',

  // Checks at the start.
  'chain.check-skipped': 'The node did not answer at the start; chain id and contracts are not verified.',
  'payer.check-skipped':
    'The node did not answer at the start; it is not verified that the contract accepts the payer.',
  'payer.key-missing': 'There is no key to sign payouts with; withdrawals are accepted and not paid.',
  'attester.check-skipped':
    'The node did not answer at the start; it is not verified that the contract accepts the attester.',
  'attester.key-missing': 'There is no key to sign attestations with; this server attests nothing.',

  // Calls of the API.
  'call.answered': 'A call of an endpoint was answered, with any code but 500.',
  'call.busy': 'A call waited too long for a lock or for a connection of commands and was answered with code 429.',
  'call.failed': 'A call of an endpoint failed by a fault of the server and was answered with code 500.',
  'http.request-failed': 'A request failed by a fault of the server outside of a call of an endpoint.',
  'health.check-failed': 'A part of the readiness check failed or took too long.',
  'metrics.read-failed': 'Prometheus asked for the metrics and they could not be read.',

  // The database.
  'database.migrated': 'Migrations were applied at the start.',
  'database.newer': 'A newer version has migrated the database; its migrations say that this version works beside it.',
  'database.connection-lost': 'A connection of the pool was lost while idle; the next use opens another.',

  // The lease: one of several servers does what only one may do.
  'lease.taken': 'This server has taken the lease: it follows, credits, pays out and runs the periodic tasks.',
  'lease.held-elsewhere': 'Another server has the lease; this one waits.',
  'lease.lost': 'Another server has taken the lease from this one, which writes nothing under it any more.',
  'lease.clock-wrong': 'The clock of the machine differs from the database’s by over 30 s; this server does no work.',
  'lease.clock-right': 'The clock of the machine is right again; this server may lead.',
  'lease.not-reached': 'The lease cannot be read or prolonged; another server takes it if that lasts.',
  'lease.work-failed': 'The work under the lease did not begin; the lease is given back and taken again.',

  // A standby that answers reads.
  'standby.used': 'The standby keeps up with the primary: it answers rankings, public figures and old pages of lists.',
  'standby.unused': 'The standby is behind, does not answer, or is none; the primary answers all reads.',

  // State that several servers share.
  'redis.reached': 'Redis answers: rate limits and used handshakes are those of all servers.',
  'redis.not-reached':
    'Redis does not answer in time: each server has its own rate limits, and unchecked envelopes get 503.',

  // Work in the background.
  'loop.failed': 'A loop failed, or failed for another reason than before; it tries again.',
  'loop.recovered': 'A loop that had failed works again.',
  'task.finished': 'A periodic task has run.',
  'worker.ended': 'The worker for periodic tasks ended by itself; it is started again.',
  'worker.time-set-back': 'Periodic tasks stood far in the future, as after a wrong clock; they are due now.',
  'worker.start-failed': 'The worker for periodic tasks could not be started again yet.',
  'worker.library-reported': 'The library that runs periodic tasks wrote a line of its own, such as a failed task.',

  // Following the chain.
  'follower.reorganisation-recorded':
    'Recorded blocks were replaced by others and are reverted; no credited payment was lost.',
  'price.halted': 'A price left the average of its day; it is not used until it is back or operators resume it.',
  'price.resumed': 'A halted price is back where it was and is in use again.',
  'signature.check-failed': 'The node did not answer whether a contract accepts a signature.',

  // Crediting payments.
  'crediting.halted': 'A reorganisation removed credited payments; crediting stops until an operator resumes it.',
  'crediting.payment-set-aside': 'A payment could not be settled; it is tried again and the others go on.',

  // Comparing the books with the chain.
  'reconciliation.difference-found': 'The books and the chain differ; withdrawals are not affected by this comparison.',
  'reconciliation.withdrawals-paused': 'The books and the chain differ repeatedly; withdrawals are paused.',
  'reconciliation.withdrawals-resumed': 'The books and the chain agree again; withdrawals are resumed.',

  // Auditing the ledger.
  'ledger.audited': 'An audit of the ledger has ended; `digest` stands for everything posted up to `sealed`.',
  'ledger.audit-failed':
    'The audit found something in the ledger that it had not found before; withdrawals are paused.',
  'ledger.audit-passed-again': 'Nothing that the audit had found is left; withdrawals are not paused by it any more.',

  // Attesting what is owed.
  'proof.snapshot-taken': 'What is owed to each member was read at one sequence of the ledger and its tree was stored.',
  'proof.signed': 'The transaction of an attestation was signed and stored.',
  'proof.attested': 'The contract says at a final block what was attested.',
  'proof.waits': 'An attestation cannot be signed now; it is tried again.',
  'proof.replaced': 'An attestation that stayed out of blocks was signed again at a higher gas price.',
  'proof.refused-by-node': 'The node refused the transaction of an attestation; it is offered again.',
  'proof.failed': 'The transaction of an attestation was mined and the contract did not accept it.',
  'proof.sums-differ': 'What is owed to members is not what the accounts of the ledger say; nothing is attested.',
  'proof.exit': 'The contract is in exit mode, for good: money commands are refused.',
  'contract.notice':
    'The owner of the contract has announced what can be done after seven days; somebody has to know of it.',
  'proof.foreign': 'The contract names an attestation that this service has not signed: the attester’s key is stolen.',
  'proof.overdue': 'The last attestation is more than 36 hours old.',

  // Several nodes.
  'crediting.payment-denied':
    'Most nodes do not have a payment that is followed here; it is not credited, and forgotten.',
  'node.lacks': 'A node does not have what the service needs of it; `candela chain check` shows each thing.',
  'node.left': 'A node was down or behind for ten minutes and is not counted any more where money is decided.',
  'node.outvoted': 'Most nodes contradict one about a decision on money; its answer does not count.',
  'node.back': 'A node that was not counted counts again.',
  'nodes.disagree':
    'A decision on money waits: the nodes contradict each other, or too few have answered for ten minutes.',

  // Paying out withdrawals.
  'payout.asset-waits': 'No withdrawal of an asset can be signed now; all are tried again.',
  'payout.asset-resumed': 'Withdrawals of an asset are signed again.',
  'withdrawal.postponed': 'The contract refuses one withdrawal for a reason of its own; it is tried again.',
  'withdrawal.reviews-ended': 'A price is back; withdrawals that waited for a review because of it are queued.',
  'withdrawal.in-review':
    'Something became known about the member after the withdrawal was asked for; an operator looks at it first.',
  'withdrawal.failed': 'A withdrawal cannot be paid at all; its amount is available to the member again.',
  'payout.signed': 'The transaction of a payout was signed and stored.',
  'payout.refused-by-node': 'The node refused the transaction of a payout; it is offered again.',
  'payout.blocked': 'The chain has the payer or the recipient of a payout on a block list; an operator has to act.',
  'payout.replaced': 'A payout that stayed out of blocks was signed again at a higher gas price.',
  'payout.price-limit-reached': 'A payout stays out of blocks and the maximum gas price forbids to replace it.',
  'payout.failed': 'A payout can no longer happen; its amount is available to the member again.',
  'payout.undecided':
    'The nonce of a payout is used and nothing shows by what; it stays as it is until an operator decides.',
  'payout.foreign':
    'The contract has paid what is no withdrawal of ours: the payer’s key is stolen, or a backup was restored.',
  'payout.unknown-payment-reported': 'The contract reports a payout as paid and no followed block contains it.',
} as const

export type LogEvent = keyof typeof logEvents
