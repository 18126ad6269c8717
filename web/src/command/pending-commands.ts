import { REQUEST_ID_LIFE_MS, REQUEST_ID_RANDOM_BYTES, requestIdOf, timeOfRequestId } from '@candela/protocol/request-id'
import { serverNow } from '../api/server-time.ts'
import { type ListItem, readList, writeList, readCommands, readFields } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import { minReceivedFor } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'

/** Takes over what older versions of the app have kept of commands without an answer, each in a form of its own. */
function adoptOlderCommands(storage: DeviceStorage): void {
  const adopted: ListItem<'pendingCommands'>[] = []
  const account = storage.get('address')?.toLowerCase() ?? ''
  for (const { what, requestId, at } of readList(storage, 'requests')) {
    const [, key = '', json = ''] = /^(POST \S+) (.*)$/.exec(what) ?? []
    const input = readFields(json)
    if (input !== null && account !== '') adopted.push({ account, key, about: input, input, requestId, at })
  }
  for (const [owner, { toUid, input }] of Object.entries(readCommands(storage, 'transfer'))) {
    const { requestId, to, asset, amount, deadline, signature } = input
    const about = { to, toUid, asset, amount }
    const fields = { to, asset, amount, deadline, signature }
    adopted.push({ account: owner, key: 'POST transfer/index', about, input: fields, requestId, at: 0 })
  }
  for (const [owner, { quote, requestId }] of Object.entries(readCommands(storage, 'exchange'))) {
    const { quoteNo, from, to, amountIn, amountOut } = quote
    const least = minReceivedFor(toBaseUnits(amountOut))
    const fields = { quoteNo, minReceived: fromBaseUnits(least > 0n ? least : 1n) }
    const about = { from, to, amount: amountIn }
    adopted.push({ account: owner, key: 'POST exchange/index', about, input: fields, requestId, at: 0 })
  }
  if (adopted.length === 0) return
  writeList(storage, 'pendingCommands', [...adopted, ...readList(storage, 'pendingCommands')])
  for (const key of ['requests', 'transfer', 'exchange'] as const) storage.set(key, null)
}

/** A command that somebody has asked for and whose outcome is not known: whose, what, and word for word as it was sent. */
export type PendingCommand = ListItem<'pendingCommands'>
export type PendingCommands = ReturnType<typeof createPendingCommands>

/** Made by the server's time, because the server refuses an id that is old or ahead. */
export const newRequestId = (): string =>
  requestIdOf(serverNow(), crypto.getRandomValues(new Uint8Array(REQUEST_ID_RANDOM_BYTES)))

/**
 * Keeps each command from before it is sent until its outcome is known, also over a reload and for other tabs. So it has one request id,
 * whatever else moves meanwhile, and the server does it once.
 */
export function createPendingCommands(storage: DeviceStorage, now: () => number = serverNow) {
  adoptOlderCommands(storage)
  const isAlive = ({ requestId }: PendingCommand) => now() - timeOfRequestId(requestId) < REQUEST_ID_LIFE_MS
  const read = () => readList(storage, 'pendingCommands').filter(isAlive)
  const all = createStore<readonly PendingCommand[] | null>(null)
  const show = (pending: readonly PendingCommand[]): void => all.set(pending.length === 0 ? null : pending)
  const write = (pending: readonly PendingCommand[]): void => {
    writeList(storage, 'pendingCommands', pending)
    show(pending)
  }
  show(read())

  return {
    /** The commands of every account of this device, the newest first; null when there is none. */
    all,
    /** The one of an account and a command: as long as its outcome is not known, nothing new of the kind is sent. */
    find: (account: string, key: string): PendingCommand | undefined =>
      read().find((command) => command.account === account.toLowerCase() && command.key === key),
    keep: (command: PendingCommand): void => write([{ ...command, account: command.account.toLowerCase() }, ...read()]),
    /** Its outcome is known. */
    forget: ({ requestId }: PendingCommand): void => write(read().filter((command) => command.requestId !== requestId)),
    /** Another tab may have written. */
    refresh: (): void => show(read()),
  }
}
