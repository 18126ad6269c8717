import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS } from '@candela/protocol/units'
import { type Hex, zeroAddress } from 'viem'
import { ask } from '../ask.ts'
import type { ChainClient } from '../client.ts'
import type { At, GatewayAddresses } from './payout-chain.ts'

/** The contract's own `NOTICE` and `VALIDITY`. */
const NOTICE_MS = 7 * DAY_MS
const VALIDITY_MS = 30 * DAY_MS

const timeOf = (seconds: bigint | number): Date => new Date(Number(seconds) * 1_000)

/**
 * Lists what the owner of the contract has announced and can still do after this block, in words for operators, and a changed output
 * coin, which needs no notice. A standby counts until its notice is over.
 * @throws RpcError
 */
export async function readNotices(
  client: ChainClient,
  { gateway, usdt, hash }: GatewayAddresses,
  at: At & { at: Date },
): Promise<string[]> {
  const call = {
    address: gateway,
    abi: paymentGatewayAbi,
    blockHash: at.hash as Hex,
    requireCanonical: true,
  } as const
  const isOpen = (from: Date): boolean => at.at.getTime() <= from.getTime() + VALIDITY_MS
  const standby = async (role: number, name: string): Promise<string[]> => {
    const { account, from } = await client.readContract({ ...call, functionName: 'standby', args: [role] })
    const isNew = account !== zeroAddress && timeOf(from) > at.at
    return isNew ? [`${account} can become the ${name} from ${timeOf(from).toISOString()}`] : []
  }
  const raise = async (asset: AssetCode, token: Hex): Promise<string[]> => {
    const { amount, from } = await client.readContract({ ...call, functionName: 'announcedRaise', args: [token] })
    const isNew = from !== 0 && isOpen(timeOf(from))
    return isNew ? [`the cap of ${asset} can be ${fromBaseUnits(amount)} from ${timeOf(from).toISOString()}`] : []
  }
  const taking = async (asset: AssetCode, token: Hex): Promise<string[]> => {
    const found = await client.readContract({ ...call, functionName: 'announcedTaking', args: [token] })
    const from = new Date(timeOf(found.announcedAt).getTime() + NOTICE_MS)
    const isNew = found.amount !== 0n && isOpen(from)
    const words = `${fromBaseUnits(found.amount)} ${asset} can be taken to ${found.to} from ${from.toISOString()}`
    return isNew ? [words] : []
  }
  const owner = async (): Promise<string[]> => {
    const account = await client.readContract({ ...call, functionName: 'pendingOwner' })
    const from = timeOf(await client.readContract({ ...call, functionName: 'ownershipFrom' }))
    return account !== zeroAddress && isOpen(from) ? [`${account} can become the owner from ${from.toISOString()}`] : []
  }
  const coin = async (): Promise<string[]> => {
    const token = (await client.readContract({ ...call, functionName: 'token' })).toLowerCase()
    return token === hash ? [] : [`the contract takes ${token} and not HASH`]
  }
  return ask(`announcements at block ${at.number}`, async () => {
    const tokens = [
      ['USDT', usdt],
      ['HASH', hash],
      ['JU', NATIVE_ASSET],
    ] as const
    const found = await Promise.all([
      standby(0, 'payer'),
      standby(1, 'attester'),
      ...tokens.map(([asset, token]) => raise(asset, token)),
      ...tokens.map(([asset, token]) => taking(asset, token)),
      owner(),
      coin(),
    ])
    return found.flat()
  })
}
