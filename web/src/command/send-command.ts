import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { call } from '../api/call.ts'
import { isDecisive } from '../api/errors.ts'
import { readList, writeList } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'
import type { App } from '../session/app-context.tsx'

/** Every command that carries a request id made by the client. */
type CommandKey = { [K in Key]: CallInput<K> extends { requestId: string } ? K : never }[Key]
export type CommandInput<K extends CommandKey> = Omit<CallInput<K>, 'requestId'>

/**
 * For a command that moves or reserves money and whose result a list then shows: when an answer was lost, the same
 * input is sent again under the same request id, so that it is done once. Rejects as `call` does, after having shown
 * the message. A command that must be finished before the next one is kept by `createPendingCommands` instead.
 */
export async function sendCommand<K extends CommandKey>(
  { storage }: Pick<App, 'storage'>,
  key: K,
  input: CommandInput<K>,
): Promise<Data<K>> {
  const requests = createPendingRequests(storage, newRequestId, Date.now)
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

const MAX_KEPT = 40

/** A command without an answer is sent again under its id for this long, in milliseconds; then it is a new one. */
export const RETRY_WINDOW_MS = 15 * 60_000

/**
 * Remembers the request id of each command, from before it is sent until it is answered. So a command whose answer was lost
 * is sent again under its id, also after a reload, and the server does it once.
 */
export function createPendingRequests(storage: DeviceStorage, makeId: () => string, now: () => number) {
  const read = () => readList(storage, 'requests').filter(({ at }) => now() - at < RETRY_WINDOW_MS)

  return {
    /** The id for a command: that of the same command before, while it has no answer. */
    idFor(what: string): string {
      const pending = read()
      const known = pending.find((each) => each.what === what)
      if (known !== undefined) return known.requestId
      const requestId = makeId()
      writeList(storage, 'requests', [{ what, requestId, at: now() }, ...pending].slice(0, MAX_KEPT))
      return requestId
    },
    /** Its outcome is known: the same command is a new one next time. */
    answered: (what: string): void =>
      writeList(
        storage,
        'requests',
        read().filter((each) => each.what !== what),
      ),
  }
}

/**
 * A UUID of version 7 without hyphens: the time and 74 random bits. So the service stores what is asked at the same time in the same
 * place. `crypto.randomUUID` has no time, and is missing where a page is not served over TLS.
 */
export function newRequestId(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(3), 16) & 3)
  return `${Date.now().toString(16).padStart(12, '0')}7${random.slice(0, 3)}${variant}${random.slice(4, 19)}`
}
