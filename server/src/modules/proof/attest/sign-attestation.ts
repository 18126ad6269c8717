import { CHAIN_ID } from '@candela/protocol/chain/network'
import { transaction, type Tx } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { sumsOf } from '../snapshot/take-snapshot.ts'
import { agreeAlone } from '../../../chain/nodes/agree.ts'
import { ATTEST_GAS, type AttestDeps, type FollowedBlocks } from './attest-deps.ts'

const GWEI = 10n ** 9n

type Signed = { hash: string; raw: string; day: string; gasPrice: bigint }

export async function storeSigned(tx: Tx, { hash, raw, day, gasPrice }: Signed, now: Date): Promise<void> {
  await tx
    .insertInto('attestation_transaction')
    .values({ hash, raw, day, gas_price: gasPrice, signed_at: now, tried_at: null, last_failure: null })
    .execute()
}

/** The most that is offered for gas, in base units. */
export const maxGasPrice = async (db: AttestDeps['db']): Promise<bigint> =>
  BigInt((await readSettings(db)).payoutGasPriceGwei) * GWEI

/** What a stored snapshot attests; null when there is none. */
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
 * sent here. Why nothing was signed, in words for the operator; null when it was, or there is no snapshot.
 * @throws RpcError; then nothing has changed
 */
export async function signAttestation(
  { db, chain, attest, agree = agreeAlone({ chain, attest }), signer, clock, log, nonces }: AttestDeps,
  { tip, finalState }: FollowedBlocks,
  day: string,
): Promise<string | null> {
  const terms = await termsOf(db, day)
  if (terms === null) return null
  const [wanted, refusal, nonceNow, nonceFinal] = await Promise.all([
    chain.gasPrice(),
    attest.refusal(signer.address, terms),
    chain.nonceAt(tip, signer.address),
    finalState === null ? null : chain.nonceAt(finalState, signer.address),
  ])
  if (refusal !== null) return `the contract refuses it: ${refusal}`
  const decision = { name: `attestation ${day}`, at: finalState ?? tip }
  const seen = await agree(decision, async (node) => ({
    last: (await node.attest.lastAt(decision.at)).root,
    isRefused: (await node.attest.refusal(signer.address, terms)) !== null,
  }))
  if (seen === null || seen.agreed.isRefused) return 'the nodes do not agree on the chain and the contract'
  const gasPrice = (wanted * 5n) / 4n + 1n
  if (gasPrice > (await maxGasPrice(db))) return `gas costs ${gasPrice} base units now`
  const result = await transaction(db, async (tx) => {
    const nonce = await nonces.lock(tx, signer.address, { nonceNow, nonceFinal })
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
    await nonces.use(tx, signer.address, nonce)
    return null
  })
  if (result === null) log.info({ event: 'proof.signed', chain: CHAIN_ID, day }, 'an attestation was signed')
  return result
}
