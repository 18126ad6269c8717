/** Calls of the API by people of the development chain, as the app makes them. */
import { openClient } from '@candela/client/client'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../deploy/deploy.ts'
import { rootInvitation } from '../seed/root-invitation.ts'
import { accountAt, approval, contractsOf, lower, send } from '../seed/past.ts'

/** Somebody who is signed in. */
export interface Caller {
  address: Hex
  /** Announces a deposit of USDT and pays it. It is credited later. */
  deposit: (amount: number) => Promise<void>
  /** Signs a transfer of USDT. Resolves when it is acknowledged. */
  transfer: (to: Hex, amount: number) => Promise<string>
  withdraw: (amount: number) => Promise<void>
}

type Place = { url: string; chain: Chain; deployment: Deployment }

/** Signs in as an account of the development mnemonic. */
export async function signIn(place: Place, index: number): Promise<Caller> {
  const { url, chain, deployment } = place
  const { account } = accountAt(index)
  const address = lower(account.address)
  const contracts = contractsOf(deployment)
  const client = openClient({ origin: url, envelope: false })
  await client.signIn(account, rootInvitation)
  return {
    address,
    async deposit(amount) {
      const input = { asset: 'USDT', amount: String(amount), requestId: client.requestId() } as const
      const { transaction } = await client.call('POST deposit/getOrder', input)
      const { to, data, gas, value } = transaction
      const paying = { to: to as Hex, data: data as Hex, gas: BigInt(gas), value: BigInt(value) }
      await send({ chain }, index, [approval(contracts.usdt, contracts.gateway, BigInt(amount) * WHOLE_UNIT), paying])
    },
    async transfer(to, amount) {
      const requestId = client.requestId()
      await client.transfer(account, { to, asset: 'USDT', amount: BigInt(amount) * WHOLE_UNIT, requestId })
      return requestId
    },
    async withdraw(amount) {
      const input = { asset: 'USDT', amount: String(amount), requestId: client.requestId() } as const
      await client.call('POST withdraw/apply', input)
    },
  }
}
