import type { Data, Key } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes/codes'
import { ApiError, isRefusal } from '../api/errors.ts'
import { createStore } from '../lib/store.ts'
import type { Wish, Wishes } from './wishes.ts'

type Outcome = Data<'GET command/outcome'>

/**
 * What is known of a wish without an answer. looking: the service has not said anything yet. underWay: it is being done. unknown: the
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

export type Shown = { wish: Wish; known: Known; /** Under way at this moment. */ act: Act | null }

export type SettlingDeps = {
  wishes: Pick<Wishes, 'forget'>
  outcome: (requestId: string) => Promise<Outcome>
  giveUp: (requestId: string) => Promise<Outcome>
  /** Sends it word for word as before, under its id. */
  send: (wish: Wish) => Promise<Data<Key>>
  /** Calls back after a while; the result takes that back. */
  later: (act: () => void) => () => void
}

/**
 * Finds out what became of a wish whose answer was lost. Sending it again cannot do it twice; giving it up has it refused whenever it
 * arrives. Until one of the two is certain nothing new of the kind is offered.
 */
export function createSettling(deps: SettlingDeps) {
  const { wishes } = deps
  const shown = createStore<Shown | null>(null)
  let finish: ((ended: Ended) => void) | undefined
  let stopWaiting: (() => void) | undefined

  const isShown = (wish: Wish) => shown.get()?.wish.requestId === wish.requestId

  function end(wish: Wish, ended: Ended): void {
    if (ended.kind !== 'left') wishes.forget(wish)
    // Closed meanwhile: then nobody waits for it any more.
    if (!isShown(wish)) return
    stopWaiting?.()
    shown.set(null)
    finish?.(ended)
  }

  /** What was tapped while it was being looked. */
  let tapped: Act | null = null

  async function act(what: Act): Promise<void> {
    const current = shown.get()
    if (current === null) return
    if (current.act !== null) {
      if (current.act === 'look') tapped = what
      return
    }
    const { wish } = current
    stopWaiting?.()
    tapped = null
    shown.set({ ...current, act: what })
    const came = await acts[what](wish)
    if (typeof came !== 'string') return end(wish, came)
    if (!isShown(wish)) return
    shown.set({ wish, known: came, act: null })
    if (tapped === null) stopWaiting = deps.later(() => void act('look'))
    else await act(tapped)
  }

  const acts: Record<Act, (wish: Wish) => Promise<Ended | Known>> = {
    look: (wish) => told(wish, deps.outcome),
    giveUp: (wish) => told(wish, deps.giveUp),
    async send(wish) {
      try {
        return { kind: 'done', data: await deps.send(wish) }
      } catch (error) {
        if (!isRefusal(error)) return 'looking'
        // What was sent before may still arrive, and would not be refused.
        const after = await acts.giveUp(wish)
        return typeof after !== 'string' && after.kind === 'givenUp' ? { kind: 'refused', error } : after
      }
    },
  }

  async function told(wish: Wish, ask: SettlingDeps['outcome']): Promise<Ended | Known> {
    try {
      const { state } = await ask(wish.requestId)
      if (state === 'done') return { kind: 'done', data: await deps.send(wish).catch(() => null) }
      return state === 'givenUp' ? { kind: 'givenUp' } : state
    } catch (error) {
      // The server does nothing under it any more.
      return error instanceof ApiError && error.code === codes.requestTooOld ? { kind: 'refused', error } : 'looking'
    }
  }

  return {
    shown,
    /** Shows one until its outcome is known or it is closed. Another one that is shown is left. Never rejects. */
    settle: (wish: Wish): Promise<Ended> =>
      new Promise((resolve) => {
        const before = shown.get()
        if (before !== null) end(before.wish, { kind: 'left' })
        finish = resolve
        shown.set({ wish, known: 'looking', act: null })
        void act('look')
      }),
    /** What became of it, without showing anything; null while nobody knows. */
    async lookQuietly(wish: Wish): Promise<Ended | null> {
      const next = await acts.look(wish)
      if (typeof next === 'string') return null
      wishes.forget(wish)
      return next
    },
    lookAgain: (): void => void act('look'),
    sendAgain: (): void => void act('send'),
    giveUp: (): void => void act('giveUp'),
    close: (): void => {
      const current = shown.get()
      if (current !== null) end(current.wish, { kind: 'left' })
    },
  }
}
