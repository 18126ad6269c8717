/** Calls of the API by people of the development chain, as the app makes them. */
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { endpointRoute } from '@candela/protocol/endpoint'
import type { Data, Key } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { codes } from '@candela/protocol/codes/codes'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
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

/** As the app makes it: the server's clock is this machine's. */
const newRequestId = (): string => systemIds(systemClock).uuid()

type Place = { url: string; chain: Chain; deployment: Deployment }

/** @throws with the code and its text when the call is not answered with 200 */
async function call<K extends Key>(url: string, key: K, input: Record<string, string>, token = ''): Promise<Data<K>> {
  const { method, path } = endpointRoute(key)
  const form = new URLSearchParams(input)
  const response = await fetch(`${url}${path}${method === 'GET' ? `?${form.toString()}` : ''}`, {
    method,
    headers: { LANG: 'EN', ...(token === '' ? {} : { Authorization: token }) },
    ...(method === 'POST' ? { body: form } : {}),
  })
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: Data<K> }
  if (code !== codes.ok) throw new Error(`${key}: ${code} ${message}`)
  return data
}

/** Signs in as an account of the development mnemonic. */
export async function signIn(place: Place, index: number): Promise<Caller> {
  const { url, chain, deployment } = place
  const { account } = accountAt(index)
  const address = lower(account.address)
  const contracts = contractsOf(deployment)
  const { message } = await call(url, 'GET auth/loginMessage', { address: account.address })
  const sign_message = await account.signMessage({ message })
  const login = { address: account.address, message, sign_message, code: rootInvitation }
  const { token } = await call(url, 'POST auth/login', login)
  return {
    address,
    async deposit(amount) {
      const input = { asset: 'USDT', amount: String(amount), requestId: newRequestId() }
      const { transaction } = await call(url, 'POST deposit/getOrder', input, token)
      const { to, data, gas, value } = transaction
      const paying = { to: to as Hex, data: data as Hex, gas: BigInt(gas), value: BigInt(value) }
      await send({ chain }, index, [approval(contracts.usdt, contracts.gateway, BigInt(amount) * WHOLE_UNIT), paying])
    },
    async transfer(to, amount) {
      const requestId = newRequestId()
      const units = BigInt(amount) * WHOLE_UNIT
      const deadline = new Date(chain.tip().timestampS * 1_000 + 300_000)
      const terms = { from: address, to, asset: 'USDT', amount: units, requestId, deadline } as const
      const signature = await account.signTypedData(transferTypedData(terms, contracts.gateway))
      const input = {
        to,
        asset: 'USDT',
        amount: fromBaseUnits(units),
        requestId,
        deadline: deadline.toISOString(),
        signature,
      }
      await call(url, 'POST transfer/index', input, token)
      return requestId
    },
    async withdraw(amount) {
      await call(
        url,
        'POST withdraw/apply',
        { asset: 'USDT', amount: String(amount), requestId: newRequestId() },
        token,
      )
    },
  }
}
