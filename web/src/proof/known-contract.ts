import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { ProofFile } from '@candela/protocol/proof/proof-file'
import type { DeviceStorage } from '../lib/storage.ts'
import { builtContracts } from '../wallet/paying/contracts.ts'

/**
 * The result of comparing a proof's chain and contract with what was built in, or else with what this device remembers. A file may name
 * any contract, and one of a stranger's says whatever its maker wants.
 */
export type ContractKnowledge =
  | { kind: 'known' }
  | { kind: 'other-chain' }
  /** `expected` is null where this device knows of none yet. */
  | { kind: 'unknown'; expected: string | null }

export function judgeContract(
  { chainId, gateway }: Pick<ProofFile, 'chainId' | 'gateway'>,
  storage: Pick<DeviceStorage, 'get'>,
  built: string | null = builtContracts?.gateway ?? null,
): ContractKnowledge {
  if (chainId !== CHAIN_ID) return { kind: 'other-chain' }
  const expected = built ?? storage.get('gateway')
  return expected === gateway.toLowerCase() ? { kind: 'known' } : { kind: 'unknown', expected }
}

/** The contract that this device has paid, or whose proof it has saved. The first one stays. */
export function rememberContract(storage: DeviceStorage, gateway: string): void {
  if (storage.get('gateway') === null) storage.set('gateway', gateway.toLowerCase())
}
