import { inFile, type Mutation } from '../mutation.ts'
import { payoutEndMutations } from './withdraw-ending.ts'

const signing = inFile('server/src/modules/withdraw/payout/sign-payout.ts', [
  {
    name: 'nodes that do not agree end a withdrawal',
    search: 'return answer?.agreed === refusal',
    replace: 'return answer === null || answer.agreed === refusal',
  },
  {
    name: 'a payment is signed although no nonce may be used',
    search: "if (typeof facts.next !== 'bigint') return wait('all', facts.next.refused)\n",
    replace: "if (typeof facts.next !== 'bigint') return { kind: 'pay', nonce: facts.nonceNow }\n",
  },
  {
    name: 'payments are signed behind one that the chain refuses',
    search: 'if (refused !== null)\n',
    replace: "if (refused === '')\n",
  },
  {
    name: 'a payment of another payer that is refused keeps this one waiting',
    search: "    .where('payer', '=', payer)\n    .where('reason', '=', 'paused')\n",
    replace: "    .where('reason', '=', 'paused')\n",
  },
  {
    name: 'fresh money is paid beyond its share',
    search: 'if (ofFresh < freshOf(row, facts.now))',
    replace: 'if (ofFresh < 0n)',
  },
  {
    name: 'fresh money never becomes old',
    search: 'row.created_at.getTime() + OLD_AFTER_MS <= now.getTime() ? 0n',
    replace: 'row.created_at.getTime() + OLD_AFTER_MS <= 0 ? 0n',
  },
  {
    name: 'what fresh money was used is not counted',
    search: '      await useFresh(',
    replace: '      if (row.fresh_amount < 0n) await useFresh(',
  },
  {
    name: 'a nonce that is signed with is not counted',
    search: '  await useNonce(tx, address, nonce)\n',
    replace: '',
  },
  {
    name: 'a blocked address holds up everybody',
    search: "return wait('one', 'the chain has its address",
    replace: "return wait('all', 'the chain has its address",
  },
  {
    name: 'a used up cap is one withdrawal’s matter',
    search: "return wait('asset', refusal)",
    replace: "return wait('one', refusal)",
  },
  {
    name: 'a payer that cannot pay for gas is one withdrawal’s matter',
    search: "return wait('all', 'the payer cannot offer what gas costs now')",
    replace: "return wait('one', 'the payer cannot offer what gas costs now')",
  },
  {
    name: 'a paused contract is one withdrawal’s matter',
    search: "refusedToAll.has(refusal) ? 'all' : 'one'",
    replace: "refusedToAll.has(refusal) ? 'one' : 'one'",
  },
  {
    name: 'no margin above the gas price of the node',
    search: '(price * 5n) / 4n + 1n',
    replace: 'price',
  },
  {
    name: 'a review of what became known needs nobody',
    search: 'approvals: Math.max(1, approvals)',
    replace: 'approvals',
  },
  {
    name: 'an earlier approval counts again after a new cause',
    search: 'review_round: review_round + 1',
    replace: 'review_round',
  },
  {
    name: 'a recipient that cannot be paid keeps the money held',
    search: "      await releaseHold(tx, row, 'failed', { reason: decision.reason }, now)\n",
    replace: '',
  },
  {
    name: 'a withdrawal that another worker signed is signed again',
    search: "if (row?.state !== 'queued' || !(await hasTurn",
    replace: 'if (row === undefined || !(await hasTurn',
  },
  {
    name: 'workers at once sign more for a member than may be under way',
    search: ' || !(await hasTurn(tx, row.member_id))) return null',
    replace: ') return null',
  },
  {
    name: 'a queued withdrawal is not looked at again',
    search: "if (cause !== null) return { kind: 'review', reason: cause }\n",
    replace: '',
  },
  {
    name: 'payments are tried without the gas price that they offer',
    search: '{ gas: PAYOUT_GAS, gasPrice })\n',
    replace: '{ gas: PAYOUT_GAS, gasPrice: 0n })\n',
  },
  {
    name: 'more is paid than the contract holds',
    search: 'simulation.held < underWay + row.payout_amount',
    replace: 'simulation.held < row.payout_amount',
  },
  {
    name: 'payouts are signed while they are paused',
    search: "if (pauseReason !== null) return wait('all', pauseReason)",
    replace: "if (pauseReason === '') return wait('all', pauseReason)",
  },
  {
    name: 'workers at once sign more than may be under way',
    search: 'if (inFlight.count >= MAX_IN_FLIGHT) return null\n',
    replace: '',
  },
  {
    name: 'what the contract refuses to one is tried again at once',
    search: "if (decision.what === 'one') await tryLater",
    replace: "if (decision.what === 'all') await tryLater",
  },
  {
    name: 'a node that has mixed up answers ends a withdrawal',
    search: 'const simulation = isSure ? trial : { ...trial, refusal: TWO_ANSWERS }',
    replace: 'const simulation = isSure ? trial : { ...trial, refusal }',
  },
  {
    name: 'gas of payments under way is not counted',
    search: 'simulation.gasBalance < inFlight.gasCost + PAYOUT_GAS * gasPrice',
    replace: 'simulation.gasBalance < PAYOUT_GAS * gasPrice',
  },
  {
    name: 'what is under way is not counted against the day’s cap',
    search: 'simulation.leftOfCap < underWay + row.payout_amount',
    replace: 'simulation.leftOfCap < row.payout_amount',
  },
  {
    name: 'a paused contract gives the money back',
    search: 'if (isCausedByRecipient(refusal))',
    replace: "if (isCausedByRecipient(refusal) || refusal === 'EnforcedPause')",
  },
  {
    name: 'a recipient that refuses is waited for',
    search: "return { kind: 'fail', reason: 'recipient',",
    replace: "return { kind: 'wait', what: 'one',",
  },
  {
    name: 'a refused payment is signed',
    search: 'if (refusal === null) return null',
    replace: "if (refusal === null || refusal === '') return null",
  },
])

const nonces = inFile('server/src/modules/withdraw/payout/payer-nonce.ts', [
  {
    name: 'a payer whose key was given up signs',
    search: 'if (revoked_at !== null) return',
    replace: "if (revoked_at !== null && address === '') return",
  },
  {
    name: 'the payer’s row is not locked',
    search: "    .where('address', '=', address)\n    .forUpdate()",
    replace: "    .where('address', '=', address)",
  },
  {
    name: 'the chain’s nonce is used before it is final',
    search: 'nonceFinal !== null && nonceFinal >= nonceNow ? nonceNow : { refused: FOREIGN_USE }',
    replace: 'nonceNow',
  },
  {
    name: 'our count of nonces is used although the chain is ahead',
    search: 'if (nonceNow <= ours) return ours',
    replace: 'if (nonceNow >= 0n) return ours',
  },
  { name: 'every payout has the same nonce', search: 'next_nonce: nonce + 1n', replace: 'next_nonce: nonce' },
])

const rounds = [
  ...inFile('server/src/modules/withdraw/payout/in-flight.ts', [
    {
      name: 'a reverted payment counts as under way',
      search: ' and w.nonce >= ${nonceNow} and not exists',
      replace: ' and not exists',
    },
    { name: 'more are under way than nodes keep', search: 'MAX_IN_FLIGHT = 16', replace: 'MAX_IN_FLIGHT = 17' },
  ]),
  ...inFile('server/src/modules/withdraw/payout/sign-due.ts', [
    {
      name: 'any gas price is paid',
      search: 'if (gasPrice > BigInt(payoutGasPriceGwei) * GWEI)',
      replace: 'if (gasPrice < 0n)',
    },
    {
      name: 'nobody is told why an asset waits',
      search: 'paused: paused.get(asset) ?? null,',
      replace: 'paused: null,',
    },
    {
      name: 'what is left is what the contract leaves without what is under way',
      search: 'leftOfCap: without(caps[asset].left, inFlight.amounts[asset])',
      replace: 'leftOfCap: caps[asset].left',
    },
  ]),
]

const turns = [
  ...inFile('server/src/modules/withdraw/payout/next-due.ts', [
    {
      name: 'a waiting withdrawal is tried at once',
      search: 'w.try_at <= ${now})',
      replace: 'w.try_at is not null)',
    },
    {
      name: 'three payments of a member may be under way',
      search: 'MAX_IN_FLIGHT_PER_MEMBER = 2',
      replace: 'MAX_IN_FLIGHT_PER_MEMBER = 3',
    },
    {
      name: 'a long list of one member is all that is read',
      search: 'where nth_of_member + in_flight <= ${MAX_IN_FLIGHT_PER_MEMBER}',
      replace: 'where in_flight < ${MAX_IN_FLIGHT_PER_MEMBER}',
    },
    {
      name: 'members whose payments revert come as early as others',
      search: 'order by reverted, is_first desc, id) as nth',
      replace: 'order by is_first desc, id) as nth',
    },
    {
      name: 'what has waited for a day comes no earlier',
      search: 'order by reverted, is_first desc, id) as nth',
      replace: 'order by reverted, id desc) as nth',
    },
    {
      name: 'what has waited for a day and does not fit is not seen',
      search: ' and w.fresh_amount <= room.fits_fresh or o.is_first)',
      replace: ' and w.fresh_amount <= room.fits_fresh)',
    },
    {
      name: 'what has waited for a day keeps nothing for itself',
      search: 'room.leftOfCap = room.isHalfKept ? besideHalf(one, room, now) : 0n\n',
      replace: '',
    },
    {
      name: 'what is let wait for a day and taken back keeps all of the cap',
      search: 'room.isHalfKept ? besideHalf(one, room, now) : 0n',
      replace: '0n',
    },
    {
      name: 'all of what comes back is kept, as if it were half',
      search: '(2n * BigInt(DAY_MS))',
      replace: 'BigInt(DAY_MS)',
    },
    { name: 'each that does not fit keeps its half', search: ' || kept.has(asset)', replace: '' },
    {
      name: 'whoever takes one back is suspected',
      search: "        and w.taken_back_at - w.created_at >= interval '24 hours')`",
      replace: '        )`',
    },
    {
      name: 'one that was taken back is never forgotten',
      search: 'w.taken_back_at > ${new Date(now.getTime() - 7 * DAY_MS)}',
      replace: 'w.taken_back_at is not null',
    },
    {
      name: 'what nothing could pay keeps all others waiting',
      search: ' || amount > room.cap',
      replace: '',
    },
    {
      name: 'two that fit alone are signed beside each other',
      search: 'room.leftOfCap -= amount\n',
      replace: '',
    },
    {
      name: 'a member has two turns in each asset',
      search: 'inFlight.set(member, underWay + 1)\n',
      replace: '',
    },
    {
      name: 'the first asset comes first in each round',
      search: 'const start = last === null ? 0 : assetCodes.indexOf(last) + 1',
      replace: 'const start = last === null ? 0 : assetCodes.indexOf(last)',
    },
  ]),
  ...inFile('server/src/chain/payout/payout-chain.ts', [
    {
      name: 'a trial payment offers no gas price',
      search: 'gas: numberToHex(offer.gas), gasPrice: numberToHex(offer.gasPrice)',
      replace: 'gas: numberToHex(offer.gas)',
    },
  ]),
  ...inFile('server/src/modules/reconcile/reconcile.ts', [
    {
      name: 'a payout that is not ours pauses nothing',
      search: 'differs || foreign.length > 0',
      replace: 'differs',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/explain-payout.ts', [
    {
      name: 'a loss that is booked is booked again',
      search: '!isBooked && amount > 0n',
      replace: 'amount > 0n',
    },
  ]),
  ...inFile('server/src/modules/reconcile/pause.ts', [
    {
      name: 'a payout that is not ours pauses nothing before a comparison',
      search: 'if (await hasForeignPayout(db)) return',
      replace: 'if ((await hasForeignPayout(db)) && false) return',
    },
    {
      name: 'payouts go on long after the last comparison',
      search: 'if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 60)',
      replace: 'if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 6_000)',
    },
    {
      name: 'a comparison with an old block is new',
      search: 'block_at !== null && block_at < at ? block_at : at',
      replace: 'block_at !== null && block_at < at ? at : at',
    },
    {
      name: 'a comparison that found a difference lets payouts go on',
      search: "\n    .where('agrees', '=', true)",
      replace: '',
    },
    {
      name: 'payouts go on although the audit has found something',
      search: "if (await hasOpenFindings(db)) return 'the audit of the ledger found something'\n",
      replace: '',
    },
    {
      name: 'payouts go on although crediting is halted',
      search: "if (cursor !== undefined && cursor.halted_reason !== null) return 'crediting is halted'\n",
      replace: '',
    },
  ]),
]

export const payoutMutations: readonly Mutation[] = [...signing, ...nonces, ...rounds, ...turns, ...payoutEndMutations]
