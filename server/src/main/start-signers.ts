import { CHAIN_ID } from '@candela/protocol/chain/network'
import { RpcError } from '../chain/ask.ts'
import type { PayoutChain } from '../chain/payout/payout-chain.ts'
import { BadKey, type KeySource, loadSigner, type Signer } from '../chain/signer.ts'
import type { Signers } from '../jobs/start-loops.ts'
import type { Log } from '../kernel/log.ts'
import { type Config, ConfigError } from './config.ts'

/** Both keys are read before anything starts; a key that the contract gives no such role ends the start. */
export async function startSigners(payouts: PayoutChain, config: Config, log: Log): Promise<Signers> {
  if (config.payerKey === null) {
    log.warn(
      { event: 'payer.key-missing' },
      'no PAYER_KEY_FILE or PAYER_KEY: withdrawals are accepted, and this server pays none of them',
    )
  }
  if (config.attesterKey === null) {
    log.warn(
      { event: 'attester.key-missing' },
      'no ATTESTER_KEY_FILE or ATTESTER_KEY: this server attests nothing, and after 30 days members can begin exit mode',
    )
  }
  return {
    payer: config.payerKey && (await startSigner(payouts, { key: config.payerKey, role: 'payer' }, log)),
    attester: config.attesterKey && (await startSigner(payouts, { key: config.attesterKey, role: 'attester' }, log)),
  }
}

/** Reads a key, and refuses one that the contract gives another role or none. */
async function startSigner(
  payouts: PayoutChain,
  { key, role }: { key: KeySource; role: 'payer' | 'attester' },
  log: Log,
): Promise<Signer> {
  const load = () => loadSigner(key, role === 'payer' ? 'PAYER_KEY' : 'ATTESTER_KEY')
  try {
    const signer = await load()
    const account = await payouts[role]()
    if (account === signer.address) return signer
    throw new ConfigError(
      `the ${role}'s key belongs to ${signer.address}, and the contract names ${account} as ${role}`,
    )
  } catch (error) {
    if (error instanceof BadKey) throw new ConfigError(error.message, { cause: error })
    if (!(error instanceof RpcError)) throw error
    // Nothing is lost by starting: each call is simulated before it is signed, and the contract refuses another account.
    const facts = { chain: CHAIN_ID, reason: error.message }
    const words = `the node does not answer which ${role} the contract names; starting without this check`
    if (role === 'payer') log.warn({ event: 'payer.check-skipped', ...facts }, words)
    else log.warn({ event: 'attester.check-skipped', ...facts }, words)
    return load()
  }
}
