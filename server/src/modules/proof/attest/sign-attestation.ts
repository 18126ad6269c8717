import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { Followed } from '../../../chain/payer/followed.ts'
import { GWEI } from '../../../chain/payer/offer.ts'
import { lockPayer, useNonce } from '../../withdraw/payout/payer-nonce.ts'
import { transaction, type Tx } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { sumsOf } from '../snapshot/take-snapshot.ts'
import { agreeAlone } from '../../../chain/nodes/agree.ts'
import { readNonces } from '../../../chain/payout/read-nonces.ts'
import { ATTEST_GAS, type AttestDeps } from './attest-deps.ts'

const NO_SNAPSHOT =
  'no snapshot could be taken: a payment out is not in the ledger (see `chain trouble`), or too few blocks are followed'

type Signed = { hash: string; raw: string; day: string; gasPrice: bigint }

export async function storeSigned(tx: Tx, { hash, raw, day, gasPrice }: Signed, now: Date): Promise<void> {
  await tx
    .insertInto('attestation_transaction')
    .values({ hash, raw, day, gas_price: gasPrice, signed_at: now, tried_at: null, last_failure: null })
    .execute()
}

/** An attestation may cost as much, whatever one operator has set for payouts: without attestations the service ends. */
const LEAST_MAX_GWEI = 500

/** The most that is offered for gas, in base units. */
export async function maxGasPrice(db: AttestDeps['db']): Promise<bigint> {
  const { payoutGasPriceGwei } = await readSettings(db)
  return BigInt(Math.max(payoutGasPriceGwei, LEAST_MAX_GWEI)) * GWEI
}

/** Reads what a stored snapshot attests; null when there is none. */
export async function termsOf(db: AttestDeps['db'], day: string) {
  const row = await db.selectFrom('proof_snapshot').selectAll().where('day', '=', day).executeTakeFirst()
  if (row === undefined) return null
  return {
    day,
    root: row.root,
    sums: sumsOf(row),
    leaves: 2 ** row.depth,
    block: row.block_number,
    sequence: row.sequence,
  }
}

/**
 * Signs the attestation of a day's snapshot with the payer's next nonce, and stores it with the nonce, both or neither. Nothing is
 * sent here. Why nothing was signed, in words for the operator; null when it was.
 * @throws RpcError; then nothing has changed
 */
export async function signAttestation(
  { db, chain, attest, agree: ofNodes, signer, clock, log }: AttestDeps,
  { tip, finalState }: Followed,
  day: string,
): Promise<string | null> {
  const terms = await termsOf(db, day)
  if (terms === null) return NO_SNAPSHOT
  const decision = { name: `attestation ${day}`, at: finalState ?? tip }
  const seen = await (ofNodes ?? agreeAlone({ chain, attest }))(decision, async (node) => ({
    last: (await node.attest.lastAt(decision.at)).root,
    isRefused: (await node.attest.refusal(signer.address, terms)) !== null,
  }))
  if (seen === null) return 'the nodes do not agree on the chain and the contract'
  if (seen.agreed.isRefused) {
    const words = await attest.refusal(signer.address, terms)
    return `the contract refuses it: ${words ?? 'as most nodes say'}`
  }
  const gasPrice = ((await chain.gasPrice()) * 5n) / 4n + 1n
  if (gasPrice > (await maxGasPrice(db))) return `gas costs ${gasPrice} base units now`
  const ofChain = await readNonces(
    { chain, agree: ofNodes && ((one, read) => ofNodes(one, (node) => read(node.chain))) },
    // Always asked twice: an attestation behind a gap of nonces is never mined.
    { address: signer.address, ours: -1n },
    { tip, finalState },
  )
  const result = await transaction(db, async (tx) => {
    const nonce = await lockPayer(tx, signer.address, ofChain)
    if (typeof nonce !== 'bigint') return nonce.refused
    const stored = await tx
      .insertInto('attestation')
      .values({ day, payer: signer.address, nonce, state: 'signed', attested_at: null })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .returning('day')
      .executeTakeFirst()
    if (stored === undefined) return 'another worker was faster'
    const { hash, raw } = await signer.sign({ nonce, gasPrice, gas: ATTEST_GAS, ...attest.call(terms) })
    await storeSigned(tx, { hash, raw, day, gasPrice }, clock.now())
    await useNonce(tx, signer.address, nonce)
    return null
  })
  if (result === null) log.info({ event: 'proof.signed', chain: CHAIN_ID, day }, 'an attestation was signed')
  return result
}
