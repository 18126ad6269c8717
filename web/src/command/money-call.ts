import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call, type CallOptions } from '../api/call.ts'
import { isDecisive } from '../api/errors.ts'
import { shelf } from '../shell/create-app.ts'
import { createRequestShelf, randomId } from './pending-requests.ts'

/** Every command that carries a request id made by the client. */
export type MoneyKey = { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key]
export type Wish<K extends MoneyKey> = Omit<CallInput<K>, 'requestId'>

const requests = createRequestShelf(shelf, randomId, Date.now)

/**
 * Asks for something that moves or reserves money, once: the same wish after a lost answer goes out under the same id.
 * Rejects as `call` does, after having shown the message.
 */
export async function moneyCall<K extends MoneyKey>(
  key: K,
  wish: Wish<K>,
  options: CallOptions = {},
): Promise<Data<K>> {
  const name = `${key} ${JSON.stringify(wish)}`
  try {
    const data = await call(key, { ...wish, requestId: requests.idFor(name) } as CallInput<K>, options)
    requests.answered(name)
    return data
  } catch (error) {
    if (isDecisive(error)) requests.answered(name)
    throw error
  }
}
