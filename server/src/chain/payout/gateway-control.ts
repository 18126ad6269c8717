import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { AssetCode } from '@candela/protocol/money/assets'
import { type Hex, zeroAddress } from 'viem'
import { ask } from '../ask.ts'
import type { ChainClient } from '../client.ts'
import { gatewayError } from './gateway-error.ts'

/** Numbers of the contract's roles that have a standby. */
export const ROLES = { payer: 0, attester: 1 } as const
export type Role = keyof typeof ROLES

/** A change that can be made from one time on, and until another one; null where it does not lapse. */
export type Announced<What> = What & { from: Date; until: Date | null }

export type AssetControl = {
  address: Hex
  /** Base units. */
  cap: bigint
  /** The part of the cap that is left. Base units. */
  left: bigint
  raise: Announced<{ amount: bigint }> | null
  taking: Announced<{ amount: bigint; to: Hex }> | null
}

/** The roles of the contract, and what its owner has announced, at one block. */
export type GatewayControl = {
  at: Date
  owner: Hex
  nextOwner: Announced<{ account: Hex }> | null
  /** Null for nobody. */
  payer: Hex | null
  attester: Hex | null
  guardian: Hex | null
  standbys: Record<Role, Announced<{ account: Hex }> | null>
  isPaused: boolean
  attestedAt: Date | null
  exitedAt: Date | null
  assets: ReadonlyMap<AssetCode, AssetControl>
  /** The token that the contract takes as HASH. */
  subcoin: Hex
  /** The notice: an announced change takes effect so much later. */
  notice_ms: number
}

/** Reads everything at the newest block. @throws RpcError */
export async function readGatewayControl(
  client: ChainClient,
  gateway: Hex,
  assets: ReadonlyMap<string, AssetCode>,
): Promise<GatewayControl> {
  const { number, timestamp } = await ask('latest block', () => client.getBlock())
  const contract = { abi: paymentGatewayAbi, address: gateway, blockNumber: number } as const
  const read = <T>(what: string, request: () => Promise<T>): Promise<T> => ask(`${what} at block ${number}`, request)
  const [notice, validity, owner, pending, ownershipFrom, payer, attester, guardian] = await Promise.all([
    read('NOTICE', () => client.readContract({ ...contract, functionName: 'NOTICE' })),
    read('VALIDITY', () => client.readContract({ ...contract, functionName: 'VALIDITY' })),
    read('owner', () => client.readContract({ ...contract, functionName: 'owner' })),
    read('pendingOwner', () => client.readContract({ ...contract, functionName: 'pendingOwner' })),
    read('ownershipFrom', () => client.readContract({ ...contract, functionName: 'ownershipFrom' })),
    read('payer', () => client.readContract({ ...contract, functionName: 'payer' })),
    read('attester', () => client.readContract({ ...contract, functionName: 'attester' })),
    read('guardian', () => client.readContract({ ...contract, functionName: 'guardian' })),
  ])
  const [isPaused, attestation, exitedAt, subcoin] = await Promise.all([
    read('paused', () => client.readContract({ ...contract, functionName: 'paused' })),
    read('lastAttestation', () => client.readContract({ ...contract, functionName: 'lastAttestation' })),
    read('exitedAt', () => client.readContract({ ...contract, functionName: 'exitedAt' })),
    read('token', () => client.readContract({ ...contract, functionName: 'token' })),
  ])
  const times = (from: bigint | number) => ({ from: timeOf(from), until: timeOf(BigInt(from) + validity) })
  const standbyOf = async (role: Role) => {
    const call = { ...contract, functionName: 'standby', args: [ROLES[role]] } as const
    const { account, from } = await read('standby', () => client.readContract(call))
    return account === zeroAddress ? null : { account, from: timeOf(from), until: null }
  }
  const assetOf = async (address: Hex): Promise<AssetControl> => {
    const args = [address] as const
    const [cap, left, raise, taking] = await Promise.all([
      read('dailyCap', () => client.readContract({ ...contract, functionName: 'dailyCap', args })),
      read('leftOfCap', () => client.readContract({ ...contract, functionName: 'leftOfCap', args })),
      read('announcedRaise', () => client.readContract({ ...contract, functionName: 'announcedRaise', args })),
      read('announcedTaking', () => client.readContract({ ...contract, functionName: 'announcedTaking', args })),
    ])
    return {
      address,
      cap,
      left,
      raise: raise.from === 0 ? null : { amount: raise.amount, ...times(raise.from) },
      taking:
        taking.announcedAt === 0
          ? null
          : { amount: taking.amount, to: taking.to, ...times(BigInt(taking.announcedAt) + notice) },
    }
  }
  const [standbyPayer, standbyAttester] = await Promise.all([standbyOf('payer'), standbyOf('attester')])
  const byAsset = [...assets].map(async ([address, asset]) => [asset, await assetOf(address as Hex)] as const)
  return {
    at: timeOf(timestamp),
    owner,
    nextOwner: pending === zeroAddress ? null : { account: pending, ...times(ownershipFrom) },
    payer: somebody(payer),
    attester: somebody(attester),
    guardian: somebody(guardian),
    standbys: { payer: standbyPayer, attester: standbyAttester },
    isPaused,
    attestedAt: attestation.attestedAt === 0 ? null : timeOf(attestation.attestedAt),
    exitedAt: exitedAt === 0 ? null : timeOf(exitedAt),
    assets: new Map(await Promise.all(byAsset)),
    subcoin,
    notice_ms: Number(notice) * 1_000,
  }
}

/** Tries a call at the newest block. @returns the contract's error that would end it, null when it would succeed. @throws RpcError */
export async function tryCall(
  client: ChainClient,
  call: { from: Hex; to: Hex; data: Hex },
): Promise<{ name: string; args: readonly unknown[] } | null> {
  const { from, to, data } = call
  try {
    await client.call({ account: from, to, data })
    return null
  } catch (error) {
    const refused = gatewayError(error)
    if (refused !== undefined) return refused
    return ask('a trial of the call', () => Promise.reject(error))
  }
}

const somebody = (account: Hex): Hex | null => (account === zeroAddress ? null : account)

/** From seconds since 1970. */
const timeOf = (seconds: bigint | number): Date => new Date(Number(seconds) * 1_000)
