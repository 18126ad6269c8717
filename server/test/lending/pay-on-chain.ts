import type { AssetCode } from '@candela/protocol/money/assets'
import { creditPayments } from '@candela/server/chain/crediting/credit-payments'
import { settlePayments } from '@candela/server/modules/crediting/settle-payments'
import { silentLog } from '@candela/server/kernel/log'
import { addressOf, followTo, recordPayment } from '@candela/server/modules/power/testing'
import { type Scenario, WHOLE } from './lending-scenario.ts'

const ALICE = addressOf(1)

type Paid = { reference: string; amount: bigint; payer?: string; asset?: AssetCode; confirmations?: number }

/** Records payments with the action `repay` in one block, and credits what is confirmed. Amounts in thousandths. */
export function payOnChain(lending: Scenario) {
  const { db, clock } = lending
  let tries = 0
  const settle: typeof settlePayments = (...batch) => {
    tries += 1
    return settlePayments(...batch)
  }
  const payExactly = async (...payments: Paid[]) => {
    const { followed } = (await db.selectFrom('chain_cursor').select('followed').executeTakeFirst()) ?? {
      followed: 10n,
    }
    const block = followed + 1n
    for (const [nth, { reference, amount, payer = ALICE, asset = 'USDT', confirmations = 12 }] of payments.entries()) {
      await recordPayment(db, {
        reference,
        asset,
        amount,
        payer,
        customer: payer,
        action: 'repay',
        block_number: block,
        log_index: nth,
        tx_hash: `0x${(block * 1_000n + BigInt(nth)).toString(16).padStart(64, '0')}`,
        block_at: clock.now(),
        confirmations_needed: confirmations,
      })
    }
    await followTo(db, block + 20n, clock.now())
  }
  return {
    /** Amounts in base units. */
    payExactly,
    pay: (...payments: Paid[]) =>
      payExactly(...payments.map((paid) => ({ ...paid, amount: (paid.amount * WHOLE) / 1_000n }))),
    /** How often payments were settled: more than once in a look only after one that failed. */
    tries: () => tries,
    credit: () => creditPayments({ db, clock, log: silentLog(), batchSize: 100 }, settle),
  }
}
