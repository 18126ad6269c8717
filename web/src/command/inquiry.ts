import type { Data, Key } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes/codes'
import { ApiError, isRefusal } from '@candela/client/errors'
import { createStore } from '../lib/store.ts'
import type { PendingCommand, PendingCommands } from './pending-commands.ts'

type Outcome = Data<'GET command/outcome'>

/**
 * The state of a command without an answer. looking: the service has not said anything yet. underWay: it is being done. unknown: the
 * service has not received it, and may still.
 */
export type Known = 'looking' | 'underWay' | 'unknown'
type Act = 'look' | 'send' | 'giveUp'

/** How it ends. left: somebody closed it, and its outcome is still unknown. */
export type Ended =
  /** `data` is the whole answer; null where it is certain that it was done, and the answer could not be had. */
  | { kind: 'done'; data: unknown }
  /** Nothing was done, and never will be. */
  | { kind: 'refused'; error: ApiError }
  | { kind: 'givenUp' }
  | { kind: 'left' }

export type Shown = { command: PendingCommand; known: Known; /** Under way at this moment. */ act: Act | null }

export type InquiryDeps = {
  pending: Pick<PendingCommands, 'forget'>
  outcome: (requestId: string) => Promise<Outcome>
  giveUp: (requestId: string) => Promise<Outcome>
  /** Sends it word for word as before, under its id. */
  send: (command: PendingCommand) => Promise<Data<Key>>
  /** Calls back after a while; the result takes that back. */
  later: (act: () => void) => () => void
}

/**
 * Finds out what became of a command whose answer was lost. Sending it again cannot do it twice; giving it up has it refused whenever it
 * arrives. Until one of the two is certain nothing new of the kind is offered.
 */
export function createInquiry(deps: InquiryDeps) {
  const { pending } = deps
  const shown = createStore<Shown | null>(null)
  let finish: ((ended: Ended) => void) | undefined
  let stopWaiting: (() => void) | undefined

  const isShown = (command: PendingCommand) => shown.get()?.command.requestId === command.requestId

  function end(command: PendingCommand, ended: Ended): void {
    if (ended.kind !== 'left') pending.forget(command)
    // Closed meanwhile: then nobody waits for it any more.
    if (!isShown(command)) return
    stopWaiting?.()
    shown.set(null)
    finish?.(ended)
  }

  /** The commands that are being looked quietly, by request id. */
  const looked = new Set<string>()
  /** The act that was tapped while it was being looked. */
  let tapped: Act | null = null

  async function act(what: Act): Promise<void> {
    const current = shown.get()
    if (current === null) return
    if (current.act !== null) {
      if (current.act === 'look') tapped = what
      return
    }
    const { command } = current
    stopWaiting?.()
    tapped = null
    shown.set({ ...current, act: what })
    const came = await acts[what](command)
    if (typeof came !== 'string') return end(command, came)
    if (!isShown(command)) return
    shown.set({ command, known: came, act: null })
    if (tapped === null) stopWaiting = deps.later(() => void act('look'))
    else await act(tapped)
  }

  const acts: Record<Act, (command: PendingCommand) => Promise<Ended | Known>> = {
    look: (command) => told(command, deps.outcome),
    giveUp: (command) => told(command, deps.giveUp),
    async send(command) {
      try {
        return { kind: 'done', data: await deps.send(command) }
      } catch (error) {
        if (!isRefusal(error)) return 'looking'
        // A command that was sent before may still arrive, and would not be refused.
        const after = await acts.giveUp(command)
        return typeof after !== 'string' && after.kind === 'givenUp' ? { kind: 'refused', error } : after
      }
    },
  }

  async function told(command: PendingCommand, ask: InquiryDeps['outcome']): Promise<Ended | Known> {
    try {
      const { state } = await ask(command.requestId)
      if (state === 'done') return { kind: 'done', data: await deps.send(command).catch(() => null) }
      return state === 'givenUp' ? { kind: 'givenUp' } : state
    } catch (error) {
      // The server does nothing under it any more.
      return error instanceof ApiError && error.code === codes.requestTooOld ? { kind: 'refused', error } : 'looking'
    }
  }

  return {
    shown,
    /** Shows one until its outcome is known or it is closed. Another one that is shown is left. Never rejects. */
    inquire: (command: PendingCommand): Promise<Ended> =>
      new Promise((resolve) => {
        const before = shown.get()
        if (before !== null) end(before.command, { kind: 'left' })
        finish = resolve
        shown.set({ command, known: 'looking', act: null })
        void act('look')
      }),
    /** Looks what became of it, without showing anything; null while nobody knows, and while it is being looked already. */
    async lookQuietly(command: PendingCommand): Promise<Ended | null> {
      if (looked.has(command.requestId)) return null
      looked.add(command.requestId)
      const next = await acts.look(command).finally(() => looked.delete(command.requestId))
      if (typeof next === 'string') return null
      pending.forget(command)
      return next
    },
    lookAgain: (): void => void act('look'),
    sendAgain: (): void => void act('send'),
    giveUp: (): void => void act('giveUp'),
    close: (): void => {
      const current = shown.get()
      if (current !== null) end(current.command, { kind: 'left' })
    },
  }
}
