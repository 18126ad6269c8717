import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** As the library does that sends our requests no more. */
const readAnswers = 'server/src/chain/node/read-answers.ts'

export const payoutMutations: readonly Mutation[] = [
  {
    name: 'the answers of a batch are handed out by their place',
    file: readAnswers,
    search: "const index = typeof id === 'number' ? open.get(id) : undefined",
    replace: 'const index: number | undefined = answers.length',
    more: [
      {
        file: readAnswers,
        search: '  if (missing !== undefined)\n    throw',
        replace: '  if (missing === -1)\n    throw',
      },
    ],
  },
  {
    name: 'the nonce is that of the chain, not the next of ours',
    file: 'server/src/modules/withdraw/payout/payer-nonce.ts',
    search: 'if (nonceNow <= ours) return ours',
    replace: 'if (nonceNow <= ours) return nonceNow',
  },
  {
    name: 'the next nonce is not stored',
    file: 'server/src/modules/withdraw/payout/payer-nonce.ts',
    search: 'next_nonce: nonce + 1n',
    replace: 'next_nonce: nonce',
  },
  {
    name: 'nonces have gaps',
    file: 'server/src/modules/withdraw/payout/payer-nonce.ts',
    search: 'next_nonce: nonce + 1n',
    replace: 'next_nonce: nonce + 2n',
  },
  {
    name: 'a payout that is being sent is signed again',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: "where w.state = 'queued'",
    replace: "where w.state in ('queued', 'sending')",
    more: [
      {
        file: 'server/src/modules/withdraw/payout/sign-payout.ts',
        search: "if (row?.state !== 'queued' || ",
        replace: 'if (row === undefined || ',
      },
      {
        file: 'server/src/modules/withdraw/payout/sign-payout.ts',
        search: '  assert(row.nonce === null, `withdrawal ${row.withdrawal_no} was signed already`)\n',
        replace: '  assert(row.id > 0n, "")\n',
      },
    ],
  },
  {
    name: 'two workers may sign the same withdrawal',
    file: 'server/src/modules/withdraw/payout/sign-payout.ts',
    search: "if (row?.state !== 'queued' || ",
    replace: 'if (row === undefined || ',
  },
  {
    name: 'the hold is released before the payout can no longer be mined',
    file: 'server/src/modules/withdraw/payout/lost/end-dead-payouts.ts',
    search: 'open.filter(({ payer, nonce }) => nonce < (used.get(payer) ?? 0n))',
    replace: 'open',
  },
  {
    name: 'a payout at the next nonce is treated as dead',
    file: 'server/src/modules/withdraw/payout/lost/end-dead-payouts.ts',
    search: 'nonce < (used.get(payer) ?? 0n)',
    replace: 'nonce <= (used.get(payer) ?? 0n)',
  },
  {
    name: 'the hold of a dead payout is not released',
    file: 'server/src/modules/withdraw/change-state.ts',
    search: '  await post(tx, releasePosting(postedOf(row), now))\n',
    replace: '',
  },
  {
    name: 'a stuck payout is replaced at another nonce',
    file: 'server/src/modules/withdraw/payout/replace-payouts.ts',
    search: 'callOf(deps, row, row.nonce, gasPrice)',
    replace: 'callOf(deps, row, row.nonce + 1n, gasPrice)',
  },
  {
    name: 'a payment is simulated without a gas price',
    file: 'server/src/chain/payout/payout-chain.ts',
    search: 'gas: numberToHex(offer.gas), gasPrice: numberToHex(offer.gasPrice)',
    replace: 'gas: numberToHex(offer.gas)',
  },
  {
    name: 'any number of payments of one member are under way',
    file: 'server/src/modules/withdraw/payout/next-due.ts',
    search: 'MAX_IN_FLIGHT_PER_MEMBER = 2',
    replace: 'MAX_IN_FLIGHT_PER_MEMBER = 200',
  },
  {
    name: 'the fee of a payment that reverted is given back',
    file: 'server/src/modules/withdraw/change-state.ts',
    search: 'post(tx, revertedPosting(postedOf(row), txHash, now))',
    replace: 'post(tx, releasePosting(postedOf(row), now))',
  },
  {
    name: 'a payment that its recipient makes revert costs nothing',
    file: 'server/src/modules/withdraw/payout/why-unpaid.ts',
    search: "isOurs ? 'unpaid' : 'reverted'",
    replace: "isOurs ? 'unpaid' : 'unpaid'",
  },
  {
    name: 'the fee is kept whatever made the payment revert',
    file: 'server/src/modules/withdraw/payout/why-unpaid.ts',
    search: "isOurs ? 'unpaid' : 'reverted'",
    replace: "isOurs ? 'reverted' : 'reverted'",
  },
  {
    name: 'the fee is paid out',
    file: 'server/src/modules/withdraw/payout/sign-payout.ts',
    search: 'amount: row.payout_amount,\n',
    replace: 'amount: row.amount,\n',
  },
  {
    name: 'the fee stays on hold',
    file: 'server/src/modules/withdraw/postings.ts',
    search: 'fee > 0n ? [paid, kept] : [paid]',
    replace: '[paid]',
    more: [{ file: 'server/src/modules/withdraw/postings.ts', search: 'const kept =', replace: 'void fee\n  void' }],
  },
  {
    name: 'a withdrawal places no hold',
    file: 'server/src/modules/withdraw/insert-withdrawal.ts',
    search: '  await post(tx, holdPosting(terms, now))\n',
    replace: '',
  },
  {
    name: 'a confirmed payout does not change its withdrawal to done',
    file: 'server/src/modules/withdraw/payout/settle-payouts.ts',
    search: "if (row.state !== 'done') await changeState",
    replace: "if (row.state === 'done') await changeState",
  },
  {
    name: 'all payouts have the same posting id',
    file: 'server/src/chain/crediting/credit-payments.ts',
    search: 'uuidFromName(`payout:${CHAIN_ID}:${payoutId}:${nth}`)',
    replace: 'uuidFromName(`payout:${CHAIN_ID}:${nth}`)',
  },
  {
    name: 'reconciliation leaves out payments that wait for confirmations',
    file: 'server/src/modules/reconcile/read-books.ts',
    search: 'expected[asset] = received - paid - (',
    replace: 'expected[asset] = -(',
  },
  {
    name: 'reconciliation reads the newest block instead of the one that the books are at',
    file: 'server/src/chain/payout/payout-chain.ts',
    search: '({ blockHash: at.hash as Hex, requireCanonical: true })',
    replace: "'latest' as never",
  },
]
