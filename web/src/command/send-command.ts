import type { CallInput, Data } from '@candela/protocol/endpoints'
import { call, type CallOptions, sendsOnce, showRefusal } from '../api/call.ts'
import { isRefusal } from '@candela/client/errors'
import { codes } from '@candela/protocol/codes/codes'
import { invalidateAll } from '../api/use-read.ts'
import { translate } from '../i18n/use-translation.ts'
import { type App, oncePerApp } from '../session/app-context.tsx'
import { showToast } from '../ui/overlay/toast.tsx'
import { type About, aboutOf, type CommandInput, type CommandKey, sameAbout } from './command-keys.ts'
import { hasPending } from './has-pending.ts'
import { createInquiry, type Ended } from './inquiry.ts'
import { labelOf } from './describe-command.ts'
import { createPendingCommands, newRequestId, type PendingCommand } from './pending-commands.ts'

/** Nothing new was sent: an earlier command of the kind came first, or was not settled, and was spoken of on screen. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** How often it is asked what became of a command that is on screen, in milliseconds. */
const LOOK_EVERY_MS = 3_000

const quiet = { handled: Object.values(codes), transportInPlace: true }

export const pendingOf = oncePerApp((app) => {
  const pending = createPendingCommands(app.storage)
  pending.all.subscribe(() => hasPending(app).set(pending.all.get() === null ? null : true))
  return pending
})

export const inquiryOf = oncePerApp((app) =>
  createInquiry({
    pending: pendingOf(app),
    outcome: (requestId) => call('GET command/outcome', { requestId }, quiet),
    giveUp: (requestId) => call('POST command/giveUp', { requestId }, quiet),
    send: ({ key, input, requestId }) => call(key as CommandKey, { ...input, requestId }, quiet),
    later: (act) => {
      const timer = setTimeout(act, LOOK_EVERY_MS)
      return () => clearTimeout(timer)
    },
  }),
)

/** The commands that this page has sent and waits for; of other pages nobody knows whether they do. */
const underWay = new Map<string, Promise<unknown>>()
export const isUnderWay = ({ requestId }: PendingCommand): boolean => underWay.has(requestId)

type Options = Pick<CallOptions, 'handled'> & {
  /** Where a signature contains it. */
  requestId?: string
  /** The member's request, where the input does not say it. */
  about?: About
}

/**
 * Sends a command that moves or reserves money. What somebody asks for has its request id from here until its outcome is known,
 * whatever else moves meanwhile, over reloads and in all tabs of a device, so that it is done once. When its answer is lost it is
 * shown what is known of it, until it is done or given up. Rejects as `call` does, after having shown the message (transport problems
 * are shown in their own way), and with `NotSent`.
 */
export async function sendCommand<K extends CommandKey>(
  app: App,
  key: K,
  input: CommandInput<K>,
  { handled = [], requestId = newRequestId(), about = aboutOf(key, input) }: Options = {},
): Promise<Data<K>> {
  const pending = pendingOf(app)
  const account = app.session.get().address.toLowerCase()
  const earlier = pending.find(account, key)
  if (earlier !== undefined) {
    // A second tap on the same.
    const running = underWay.get(earlier.requestId)
    if (running !== undefined && sameAbout(earlier.about, about)) return running as Promise<Data<K>>
    if (sameAbout(earlier.about, about)) return dataOf<K>(earlier, await inquiryOf(app).inquire(earlier), handled)
    await showPending(app, earlier)
    throw new NotSent()
  }
  const fields = Object.entries(input).filter(([, value]) => value !== undefined)
  const texts = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
  const command: PendingCommand = { account, key, about: { ...about }, input: texts, requestId, at: Date.now() }
  pending.keep(command)
  const running = send<K>(app, command, handled).finally(() => underWay.delete(requestId))
  underWay.set(requestId, running)
  return running
}

async function send<K extends CommandKey>(
  app: App,
  command: PendingCommand,
  handled: readonly number[],
): Promise<Data<K>> {
  const { key, input, requestId } = command
  const pending = pendingOf(app)
  try {
    // A fault of the server is no outcome either, and is said in the same words as a lost answer.
    const options = { handled: [...handled, codes.ourFault], transportInPlace: true }
    const data = await call(key as K, { ...input, requestId } as unknown as CallInput<K>, options)
    pending.forget(command)
    return data
  } catch (error) {
    if (sendsOnce && isRefusal(error)) {
      pending.forget(command)
      throw error
    }
    underWay.delete(requestId)
    return dataOf<K>(command, await inquiryOf(app).inquire(command), handled)
  }
}

/** @throws ApiError, NotSent */
function dataOf<K extends CommandKey>(command: PendingCommand, ended: Ended, handled: readonly number[]): Data<K> {
  if (ended.kind === 'done' && ended.data !== null) return ended.data as Data<K>
  if (ended.kind !== 'refused' || !handled.includes(ended.error.code)) tell(command, ended)
  throw ended.kind === 'refused' ? ended.error : new NotSent()
}

/** Shows what is known of a command without an answer, and says how it ended. */
export async function showPending(app: App, command: PendingCommand): Promise<void> {
  tell(command, await inquiryOf(app).inquire(command))
}

/** Says how a command ended that nobody waits for any more. */
export function tell(command: PendingCommand, ended: Ended): void {
  if (ended.kind === 'refused') showRefusal(ended.error)
  if (ended.kind === 'givenUp') showToast('plain', translate('pending.givenUp'))
  if (ended.kind !== 'done') return
  showToast('done', translate('pending.done', { what: labelOf(command) }))
  void invalidateAll()
}

/**
 * For a command that is agreed to in steps, such as one that is signed: an earlier command of the kind comes first.
 * @returns whether there is one, which is shown
 */
export function showsEarlier(app: App, key: CommandKey): boolean {
  const earlier = pendingOf(app).find(app.session.get().address, key)
  if (earlier === undefined) return false
  if (!isUnderWay(earlier)) void showPending(app, earlier)
  return true
}
