import { codes } from '@candela/protocol/codes'
import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call, type CallOptions } from '../api/call.ts'
import { ApiError } from '../api/errors.ts'
import { shelf } from './parts.ts'
import { createRequestShelf, randomId } from './request-shelf.ts'

/** Every command that carries a request id made by the client. */
export type MoneyKey = { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key]
export type Wish<K extends MoneyKey> = Omit<CallInput<K>, 'requestId'>

const requests = createRequestShelf(shelf, randomId, Date.now)

const nameOf = (key: string, wish: object): string => `${key} ${JSON.stringify(wish)}`

/**
 * Asks for something that moves or reserves money, once: the same wish after a lost answer goes out under the same id.
 * Rejects as `call` does, after having shown the message.
 */
export function moneyCall<K extends MoneyKey>(key: K, wish: Wish<K>, options: CallOptions = {}): Promise<Data<K>> {
  return namedCall(nameOf(key, wish), key, (requestId) => ({ ...wish, requestId }) as CallInput<K>, options)
}

async function namedCall<K extends MoneyKey>(
  name: string,
  key: K,
  inputWith: (requestId: string) => CallInput<K>,
  options: CallOptions,
): Promise<Data<K>> {
  try {
    const data = await call(key, inputWith(requests.idFor(name)), options)
    requests.answered(name)
    return data
  } catch (error) {
    if (error instanceof ApiError && isDecisive(error.code)) requests.answered(name)
    throw error
  }
}

/** A fault of the server or too many requests leave open what happened; every other answer means that nothing did. */
const isDecisive = (code: number): boolean =>
  code !== codes.ourFault && code !== codes.slowDown && code !== codes.noSession
