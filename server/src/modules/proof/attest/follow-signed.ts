import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { Followed } from '../../../chain/payer/followed.ts'
import { bumped, OFFER_AGAIN_MS } from '../../../chain/payer/offer.ts'
import { agreeAlone } from '../../../chain/nodes/agree.ts'
import { type At, receiptOnceFinal } from '../../../chain/payout/payout-chain.ts'
import { type Database, transaction, type Tx } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { must } from '../../../kernel/assert.ts'
import { ATTEST_GAS, type AttestDeps } from './attest-deps.ts'
import { maxGasPrice, storeSigned, termsOf } from './sign-attestation.ts'

type Open = {
  day: string
  payer: string
  nonce: bigint
  root: string
  hash: string
  raw: string
  gasPrice: bigint
  signedAt: Date
  triedAt: Date | null
}

/**
 * Follows what is signed until the contract says at a final block that it is attested, or the nonce was used up without it. Until
 * then it is offered to the node again and again, and signed for more gas when blocks go by without it, because payouts
 * with higher nonces wait for it. True while one is under way.
 * @throws RpcError
 */
export async function followSigned(deps: AttestDeps, followed: Followed): Promise<boolean> {
  const open = await readOpen(deps.db)
  if (open === null) return false
  if (await isOver(deps, followed, open)) return false
  const newest = await replaceStuck(deps, followed, open)
  if (newest !== null) await offer(deps, newest)
  return true
}

async function readOpen(db: Database): Promise<Open | null> {
  const row = await db
    .selectFrom('attestation as a')
    .innerJoin('proof_snapshot as s', 's.day', 'a.day')
    .innerJoin('attestation_transaction as t', 't.day', 'a.day')
    .select(['a.day', 'a.payer', 'a.nonce', 's.root', 't.hash', 't.raw', 't.gas_price', 't.signed_at', 't.tried_at'])
    .where('a.state', '=', 'signed')
    .orderBy('t.gas_price', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { gas_price: gasPrice, signed_at: signedAt, tried_at: triedAt, ...rest } = row
  return { ...rest, gasPrice, signedAt, triedAt }
}

async function isOver(
  deps: AttestDeps,
  { tip, finalState: final }: Followed,
  { day, payer, nonce, root }: Open,
): Promise<boolean> {
  const { db, chain, attest, log } = deps
  if (final === null) return false
  const agree = deps.agree ?? agreeAlone({ chain, attest })
  const answer = await agree({ name: `attestation ${day}`, at: final }, async (node) => {
    // The nonce first: asked in the other order, a block in between could make an attestation look as if it had failed.
    if ((await node.chain.nonceAt(final, payer)) <= nonce) return null
    const last = await node.attest.lastAt(final)
    if (last.root === root) return { attestedAt: last.attestedAt.getTime() }
    // That it failed is final as well, so a newer block has to show the same: one wrong answer would leave the day out.
    const isOpen = (await node.chain.nonceAt(tip, payer)) <= nonce || (await node.attest.lastAt(tip)).root === root
    return isOpen ? null : { attestedAt: null }
  })
  if (answer === null || answer.agreed === null) return false
  const { attestedAt } = answer.agreed
  const isAttested = attestedAt !== null
  const mined = isAttested ? await findMined(deps, { day, payer }, final) : null
  await transaction(db, async (tx) => {
    await tx
      .updateTable('attestation')
      .set(isAttested ? { state: 'attested', attested_at: new Date(attestedAt) } : { state: 'failed' })
      .where('day', '=', day)
      .where('state', '=', 'signed')
      .execute()
    // The others can never be mined: their nonce is used.
    if (mined !== null)
      await tx.deleteFrom('attestation_transaction').where('day', '=', day).where('hash', '<>', mined).execute()
  })
  if (isAttested) log.info({ event: 'proof.attested', chain: CHAIN_ID, day }, 'what is owed is attested on chain')
  else log.error({ event: 'proof.failed', chain: CHAIN_ID, day }, 'an attestation was not accepted by the contract')
  return true
}

/** Finds the transaction of those signed for a day that was mined; null where the node has no receipts of such old blocks any more. */
async function findMined(
  { db, chain }: AttestDeps,
  { day, payer }: Pick<Open, 'day' | 'payer'>,
  final: At,
): Promise<string | null> {
  const signed = await db.selectFrom('attestation_transaction').select('hash').where('day', '=', day).execute()
  for (const { hash } of signed) {
    const receipt = await receiptOnceFinal(chain, { hash, payer }, final)
    if (receipt?.succeeded === true) return hash
  }
  return null
}

/**
 * The transaction to offer: a dearer one at the same nonce where blocks have gone by without the last. Null when another worker was
 * faster, which then offers its own.
 */
async function replaceStuck(deps: AttestDeps, { tip }: Followed, open: Open): Promise<Open | null> {
  const { db, chain, attest, signer, clock, log } = deps
  const { payoutStuckSeconds } = await readSettings(db)
  const isOld = open.signedAt.getTime() <= tip.at.getTime() - payoutStuckSeconds * 1000
  if (!isOld || open.payer !== signer.address || (await chain.nonceAt(tip, open.payer)) > open.nonce) return open
  const gasPrice = bumped(open.gasPrice, await chain.gasPrice(), await maxGasPrice(db))
  if (gasPrice === null) return open
  const terms = must(await termsOf(db, open.day), 'what is signed has a snapshot')
  const { hash, raw } = await signer.sign({ nonce: open.nonce, gasPrice, gas: ATTEST_GAS, ...attest.call(terms) })
  const now = clock.now()
  const isStored = await transaction(db, async (tx) => {
    if (!(await isNewest(tx, open))) return false
    await storeSigned(tx, { hash, raw, day: open.day, gasPrice }, now)
    return true
  })
  if (!isStored) return null
  log.warn(
    { event: 'proof.replaced', chain: CHAIN_ID, day: open.day, txHash: hash },
    'a stuck attestation was signed again',
  )
  return { ...open, hash, raw, gasPrice, signedAt: now, triedAt: null }
}

/** Whether it is still the last that was signed for its attestation, which stays locked until the transaction ends. */
async function isNewest(tx: Tx, { day, hash }: Open): Promise<boolean> {
  const locked = await tx
    .selectFrom('attestation')
    .select('state')
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirst()
  const newest = await tx
    .selectFrom('attestation_transaction')
    .select('hash')
    .where('day', '=', day)
    .orderBy('gas_price', 'desc')
    .limit(1)
    .executeTakeFirst()
  return locked?.state === 'signed' && newest?.hash === hash
}

async function offer({ db, chain, clock, log }: AttestDeps, { day, hash, raw, triedAt }: Open): Promise<void> {
  const now = clock.now()
  if (triedAt !== null && triedAt.getTime() > now.getTime() - OFFER_AGAIN_MS) return
  const sent = await chain.send(raw)
  const lastFailure = sent.result === 'refused' ? sent.reason : null
  await db
    .updateTable('attestation_transaction')
    .set({ tried_at: now, last_failure: lastFailure })
    .where('hash', '=', hash)
    .execute()
  if (lastFailure === null) return
  const facts = { event: 'proof.refused-by-node', chain: CHAIN_ID, day, txHash: hash, reason: lastFailure } as const
  log.warn(facts, 'the node refused an attestation')
}
