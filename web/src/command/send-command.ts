import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call, type CallOptions } from '../api/call.ts'
import { isDecisive } from '../api/errors.ts'
import type { App } from '../session/app-context.tsx'
import { createPendingRequests, randomId } from './pending-requests.ts'

/** Every command that carries a request id made by the client. */
export type CommandKey = { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key]
export type CommandInput<K extends CommandKey> = Omit<CallInput<K>, 'requestId'>

/**
 * Asks for something that moves or reserves money, once: the same input after a lost answer goes out under the same id.
 * Rejects as `call` does, after having shown the message.
 */
export async function sendCommand<K extends CommandKey>(
  { storage }: Pick<App, 'storage'>,
  key: K,
  input: CommandInput<K>,
  options: CallOptions = {},
): Promise<Data<K>> {
  const requests = createPendingRequests(storage, randomId, Date.now)
  const name = `${key} ${JSON.stringify(input)}`
  try {
    const data = await call(key, { ...input, requestId: requests.idFor(name) } as CallInput<K>, options)
    requests.answered(name)
    return data
  } catch (error) {
    if (isDecisive(error)) requests.answered(name)
    throw error
  }
}
