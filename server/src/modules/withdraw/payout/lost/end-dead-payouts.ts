import { CHAIN_ID } from '@candela/protocol/chain/network'
import { assetCodes } from '@candela/protocol/money/assets'
import { MINUTE_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { type Agree, agreeAlone } from '../../../../chain/nodes/agree.ts'
import type { At } from '../../../../chain/payout/payout-chain.ts'
import { queryRows } from '../../../../db/query-rows.ts'
import { z } from 'zod'
import type { Followed } from '../../../../chain/payer/followed.ts'
import { transaction } from '../../../../db/open.ts'
import { keepFee, releaseHold, lockWithdrawal } from '../../change-state.ts'
import { isPaidOnChain } from '../is-paid-on-chain.ts'
import type { PayoutDeps } from '../payout-deps.ts'
import { type Unpaid, whyUnpaid } from '../why-unpaid.ts'
import { findNonceUse, keepNonceUse, type NonceUse, readNonceUse } from './nonce-use.ts'

const openRow = z.object({
  id: z.bigint(),
  withdrawal_no: z.string(),
  payout_id: z.string(),
  asset: z.enum(assetCodes),
  to_address: z.string(),
  payout_amount: z.bigint(),
  payer: z.string(),
  nonce: z.bigint(),
  last_failure: z.string().nullable(),
  transactions: z.array(z.object({ hash: z.string(), gasPrice: z.coerce.bigint() })),
})
type Open = z.output<typeof openRow>

type EndChain = Pick<PayoutDeps['chain'], 'nonceAt' | 'isPaid' | 'payerAt' | 'receipt' | 'sentBy' | 'simulatePayout'>
type EndDeps = Pick<PayoutDeps, 'db' | 'clock' | 'log'> & {
  chain: EndChain
  agree?: Agree<EndChain> | undefined
}

/** After this long it is tried again to find out what became of a nonce. */
const LOOK_AGAIN_MS = MINUTE_MS
/** The text for an operator about a payout of which nobody can tell what became of it. */
export const UNDECIDED =
  'its nonce is used, and no transaction is found that used it: see "withdrawal end" in docs/operate/operations.md'

/**
 * Gives the money back where a payout provably cannot happen any more. Its nonce is used at a final block, no followed
 * block pays it, and the contract itself says that it is not paid. All that was ever signed for it has that one nonce.
 * Because each of these is one answer of a node, something else has to show it as well: the transaction that used the nonce,
 * in a final block, ours that moved nothing or somebody else's; or that the contract lets another account pay at a final
 * block, where it has not paid it. Shown by neither, it stays as it is until an operator decides.
 * Where its recipient has made it revert, the fee is kept. Where there are several nodes, more than half of them have to show all of this.
 * Returns how many have ended.
 * @throws RpcError
 */
export async function endDeadPayouts(deps: EndDeps, followed: Followed): Promise<number> {
  const { db, clock, log } = deps
  const agree = deps.agree ?? agreeAlone(deps.chain)
  const { final, finalState, tip } = followed
  if (final === null || finalState === null) return 0
  const open = await readOpen(deps)
  const used = new Map<string, bigint>()
  for (const payer of new Set(open.map((one) => one.payer))) {
    const answer = await agree({ name: `nonce ${payer}`, at: finalState }, (node) => node.nonceAt(finalState, payer))
    if (answer !== null) used.set(payer, answer.agreed)
  }
  let ended = 0
  for (const one of open.filter(({ payer, nonce }) => nonce < (used.get(payer) ?? 0n))) {
    const decision = { name: `withdrawal ${one.withdrawal_no}`, at: tip }
    const blocks = { ...followed, final, finalState }
    const known = await readNonceUse(db, one.id)
    const answer = await agree(decision, (node) => becameOf({ db, chain: node }, one, blocks, known))
    if (answer === null) continue
    const { use, dead } = answer.agreed
    // No node has it kept on its own word: the others would be asked for a transaction that they do not have.
    if (use !== null) await keepNonceUse(db, one.id, use, clock.now())
    if (dead === 'paid') {
      log.error(
        { event: 'payout.unknown-payment-reported', chain: CHAIN_ID, withdrawal: one.withdrawal_no },
        'the contract reports the payout as paid, and no followed block contains the payment',
      )
      continue
    }
    if (dead === 'wait' || dead === 'unused') continue
    if (dead === 'undecided') await waitForOperator(deps, one)
    else if (await end(deps, one, tip.hash, dead)) {
      log.warn(
        { event: 'payout.failed', chain: CHAIN_ID, withdrawal: one.withdrawal_no, ...dead },
        'a payout has failed; its amount is available again',
      )
      ended += 1
    }
  }
  return ended
}

type Fate = Unpaid | 'paid' | 'unused' | 'wait' | 'undecided'
/** The end of a payment; and the transaction that has used its nonce, where it was found now. */
type Became = { dead: Fate; use: NonceUse | null }
type Blocks = Followed & { final: At; finalState: At }
type NodeDeps = { db: EndDeps['db']; chain: EndChain }

const without = (dead: Fate): Became => ({ dead, use: null })

/** Asks one node how a payment ended. */
async function becameOf(deps: NodeDeps, one: Open, blocks: Blocks, known: NonceUse | null): Promise<Became> {
  if ((await deps.chain.nonceAt(blocks.finalState, one.payer)) <= one.nonce) return without('unused')
  if (await deps.chain.isPaid(blocks.tip, one.payout_id)) return without('paid')
  const terms = { payoutId: one.payout_id, asset: one.asset, to: one.to_address, amount: one.payout_amount }
  const own = await whyUnpaid(deps, { ...one, terms }, blocks)
  if (own !== 'none') return without(own)
  if (known !== null) {
    const dead = await whyUsed(deps, one, known, blocks)
    // The kept use has no receipt in its block: it is looked for again.
    if (dead !== 'wait' || known.at.number > blocks.final.number) return without(dead)
  }
  const use = await findNonceUse(deps, one, blocks)
  if (use !== null) return { dead: await whyUsed(deps, one, use, blocks), use }
  return without((await isPayerReplaced(deps, one, blocks)) ? { reason: 'unpaid', txHash: null } : 'undecided')
}

/** The fact besides the nonce that shows that a payment cannot happen. `wait`: there may be one later. */
async function whyUsed({ chain }: NodeDeps, one: Open, use: NonceUse, { final }: Blocks): Promise<Unpaid | 'wait'> {
  // Our own, of which the node had no receipt a moment ago.
  if (one.transactions.some(({ hash }) => hash === use.txHash)) return 'wait'
  const receipt = use.at.number <= final.number ? await chain.receipt(use.txHash) : null
  return receipt?.at.hash === use.at.hash ? { reason: 'unpaid', txHash: null } : 'wait'
}

/** Asked one after the other, so that no two answers can be exchanged. */
async function isPayerReplaced({ chain }: NodeDeps, one: Open, { tip, final, finalState }: Blocks): Promise<boolean> {
  if (finalState.number > final.number) return false
  for (const at of [finalState, tip]) if ((await chain.payerAt(at)) === one.payer) return false
  return !(await chain.isPaid(finalState, one.payout_id))
}

async function waitForOperator({ db, clock, log }: EndDeps, one: Open): Promise<void> {
  const tryAt = new Date(clock.now().getTime() + LOOK_AGAIN_MS)
  await db
    .updateTable('withdrawal')
    .set({ try_at: tryAt, last_failure: UNDECIDED })
    .where('id', '=', one.id)
    .where('state', '=', 'sending')
    .execute()
  if (one.last_failure === UNDECIDED) return
  log.error(
    { event: 'payout.undecided', chain: CHAIN_ID, withdrawal: one.withdrawal_no },
    'the nonce of a payout is used, and nothing shows by what: an operator has to decide',
  )
}

async function readOpen({ db, clock }: EndDeps): Promise<Open[]> {
  const rows = await queryRows(
    db,
    openRow,
    sql`
    select w.id, w.withdrawal_no, w.payout_id, w.asset, w.to_address, w.payout_amount, w.payer, w.nonce, w.last_failure,
      (select json_agg(json_build_object('hash', hash, 'gasPrice', gas_price::text) order by gas_price)
        from payout_transaction where withdrawal_id = w.id and not is_empty) as transactions
    from withdrawal w
    where w.state = 'sending' and not ${isPaidOnChain} and (w.try_at is null or w.try_at <= ${clock.now()})
    order by w.nonce`,
  )
  return rows
}

function end({ db, clock }: EndDeps, one: Open, tipHash: string, unpaid: Unpaid): Promise<boolean> {
  return transaction(db, async (tx) => {
    // No block is recorded or taken back meanwhile; what was asked must still be about the last one that we follow.
    const cursor = await tx.selectFrom('chain_cursor').select('followed_hash').forUpdate().executeTakeFirst()
    if (cursor?.followed_hash !== tipHash) return false
    const row = await lockWithdrawal(tx, one.id)
    if (row?.state !== 'sending') return false
    const paid = await tx
      .selectFrom('chain_payment')
      .select('id')
      .where('action', '=', 'paid')
      .where('reference', '=', one.payout_id)
      .executeTakeFirst()
    if (paid !== undefined) return false
    if (unpaid.reason === 'reverted') await keepFee(tx, row, unpaid.txHash, clock.now())
    else await releaseHold(tx, row, 'failed', unpaid, clock.now())
    return true
  })
}
