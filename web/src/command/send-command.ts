import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call } from '../api/call.ts'
import { isDecisive } from '../api/errors.ts'
import type { App } from '../session/app-context.tsx'
import { createPendingRequests, randomId } from './pending-requests.ts'

/** Every command that carries a request id made by the client. */
type CommandKey = { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key]
export type CommandInput<K extends CommandKey> = Omit<CallInput<K>, 'requestId'>

/**
 * For a command that moves or reserves money and then stands in a list: the same input after a lost answer goes out under the
 * same request id, so that it is done once. Rejects as `call` does, after having shown the message. A command that has to be
 * finished before the next one is kept by `createPendingCommands` instead.
 */
export async function sendCommand<K extends CommandKey>(
  { storage }: Pick<App, 'storage'>,
  key: K,
  input: CommandInput<K>,
): Promise<Data<K>> {
  const requests = createPendingRequests(storage, randomId, Date.now)
  const name = `${key} ${JSON.stringify(input)}`
  try {
    const data = await call(key, { ...input, requestId: requests.idFor(name) } as CallInput<K>)
    requests.answered(name)
    return data
  } catch (error) {
    if (isDecisive(error)) requests.answered(name)
    throw error
  }
}
