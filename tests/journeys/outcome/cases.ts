/** The ways a command can end: each case ends with what was wanted done once, or as often as it was wanted. */
import { GIVEN_UP } from '@candela/server/db/idempotency/request-keys'
import { type BrowserSession, openSessionIn } from '@candela/testing/browser/browser-session'
import { FACT_MS } from '@candela/testing/browser/timeouts'
import type { Page, Request, Route } from 'playwright-core'
import { expect } from 'vitest'
import { memberIdOf, withDatabase } from '../support/database.ts'
import { sinkJu } from '../support/market.ts'
import type { Newcomer } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import { openAnotherSession, signInAgain } from '../support/steps.ts'
import type { Act } from './acts.ts'

export type Situation = { product: Product; person: Newcomer; session: BrowserSession; act: Act }
type Case = (situation: Situation) => Promise<void>

const pathOf = ({ key }: Pick<Act, 'key'>) => `**/api/v1/${key.replace('POST ', '')}`
const OUTCOME = '**/api/v1/command/outcome?*'

/** How many commands of a person were done. */
function deedsOf({ product, person }: Situation): Promise<number> {
  return withDatabase(product, async (db) => {
    const query = db.selectFrom('request_log').select('request_key').where('input_key', '!=', GIVEN_UP)
    return (await query.where('member_id', '=', await memberIdOf(db, person)).execute()).length
  })
}

/** Collects the requests of the command, from now on. */
function sentBy(page: Page, act: Act): string[] {
  const bodies: string[] = []
  const isAct = (request: Request) =>
    request.method() === 'POST' && request.url().endsWith(act.key.replace('POST ', '/api/v1/'))
  page.on('request', (request) => isAct(request) && bodies.push(request.postData() ?? ''))
  return bodies
}

/** The server does it, and its answer is lost. */
const lose = async (route: Route): Promise<void> => {
  await route.fetch()
  await route.abort('connectionreset')
}
const cut = (route: Route): Promise<void> => route.abort('connectionreset')

/** Has the next answer to the command lost, and nothing found out about it until that is ended. */
async function loseAll({ session, act }: Situation): Promise<() => Promise<void>> {
  const context = session.page.context()
  await session.page.route(pathOf(act), lose, { times: 1 })
  await context.route(OUTCOME, cut)
  return () => context.unroute(OUTCOME, cut)
}

const sheet = (session: BrowserSession) => session.dialog('pending.title')
const looking = (session: BrowserSession) => sheet(session).getByText(session.text('pending.looking')).waitFor()
const notice = (session: BrowserSession) =>
  session.page.locator('main .shell-notice').filter({ hasText: session.text('pending.show') })

/** The device keeps no command any more, so each has an outcome. */
async function untilSettled({ page }: BrowserSession): Promise<void> {
  const pending = () =>
    page.evaluate(() =>
      (globalThis as unknown as { localStorage: { getItem(key: string): string | null } }).localStorage.getItem(
        'pendingCommands',
      ),
    )
  await expect.poll(async () => (await pending()) ?? '[]', { timeout: FACT_MS }).toBe('[]')
}

async function give({ session, act }: Pick<Situation, 'session' | 'act'>): Promise<void> {
  await act.fill(session)
  await act.confirm(session)
}

const lost: Case = async (situation) => {
  const before = await deedsOf(situation)
  await situation.session.page.route(pathOf(situation.act), lose, { times: 1 })
  const sent = sentBy(situation.session.page, situation.act)
  await give(situation)
  await expect.poll(() => sent.length).toBe(2)
  await untilSettled(situation.session)
  expect(sent[1]).toBe(sent[0])
  expect(await deedsOf(situation)).toBe(before + 1)
}

const late: Case = async (situation) => {
  const { session, act } = situation
  const before = await deedsOf(situation)
  let held: Request | undefined
  const hold = (route: Route) => {
    held = route.request()
    return cut(route)
  }
  await session.page.route(pathOf(act), hold, { times: 1 })
  await give(situation)
  await sheet(session).getByText(session.text('pending.unknown')).waitFor()
  await session.button('pending.giveUp', sheet(session)).click()
  await session.waitForToast('pending.givenUp')
  // Now it arrives.
  const headers = await held!.allHeaders()
  const form = ['authorization', 'lang', 'content-type'].map((name) => [name, headers[name] ?? ''])
  const answer = await fetch(held!.url(), { method: 'POST', headers: Object.fromEntries(form), body: held!.postData() })
  expect(await answer.json()).toMatchObject({ code: 4092 })
  expect(await deedsOf(situation)).toBe(before)
  // Only then something new is offered, and done.
  await give(situation)
  await expect.poll(() => deedsOf(situation)).toBe(before + 1)
  await untilSettled(session)
}

const reload: Case = async (situation) => {
  const { session } = situation
  const before = await deedsOf(situation)
  const restore = await loseAll(situation)
  await give(situation)
  await looking(session)
  await expect.poll(() => deedsOf(situation)).toBe(before + 1)
  await session.page.reload()
  await notice(session).waitFor()
  await restore()
  await notice(session).waitFor({ state: 'hidden' })
  await untilSettled(session)
  expect(await deedsOf(situation)).toBe(before + 1)
}

const secondTab: Case = async (situation) => {
  const { session, act } = situation
  const before = await deedsOf(situation)
  const restore = await loseAll(situation)
  await give(situation)
  await looking(session)
  const tab = await openSessionIn(session.page.context(), { origin: new URL(session.page.url()).origin })
  const sent = sentBy(tab.page, act)
  await tab.open()
  await notice(tab).waitFor()
  await give({ session: tab, act })
  await looking(tab)
  expect(sent).toEqual([])
  await restore()
  await untilSettled(tab)
  await sheet(session).waitFor({ state: 'hidden' })
  expect(await deedsOf(situation)).toBe(before + 1)
  await tab.page.close()
}

const secondDevice: Case = async (situation) => {
  const { session, act, person } = situation
  const before = await deedsOf(situation)
  const restore = await loseAll(situation)
  await give(situation)
  await looking(session)
  await expect.poll(() => deedsOf(situation)).toBe(before + 1)
  await using device = await openAnotherSession(session, { wallets: [person.pageWallet] })
  await signInAgain(device, person)
  // The command that is wanted there is another one.
  await give({ session: device, act })
  await expect.poll(() => deedsOf(situation)).toBe(before + 2)
  await restore()
  await untilSettled(session)
  expect(await deedsOf(situation)).toBe(before + 2)
}

const movedPrice: Case = async (situation) => {
  const { session, act, product } = situation
  const before = await deedsOf(situation)
  const restore = await loseAll(situation)
  const sent = sentBy(session.page, act)
  await give(situation)
  await looking(session)
  await expect.poll(() => deedsOf(situation)).toBe(before + 1)
  await session.page.keyboard.press('Escape')
  await sheet(session).waitFor({ state: 'hidden' })
  await sinkJu(product, 997_000)
  await give(situation)
  await looking(session)
  expect(sent).toHaveLength(1)
  await restore()
  await untilSettled(session)
  expect(new Set(sent).size).toBe(1)
  expect(await deedsOf(situation)).toBe(before + 1)
}

/** The browser calls each connection that was cut an error; nothing else may be wrong. */
export function ignoreCutConnections({ problems }: BrowserSession): void {
  const left = problems.filter((problem) => !problem.includes('ERR_CONNECTION_RESET'))
  problems.splice(0, problems.length, ...left)
}

/** By the words that a failure is told with. */
export const cases = {
  'its answer is lost': lost,
  'it arrives after it was given up': late,
  'the page is reloaded meanwhile': reload,
  'another tab wants the same': secondTab,
  'another device wants the same': secondDevice,
  'the price moves meanwhile': movedPrice,
} as const satisfies Record<string, Case>

export async function goThrough(situation: Situation, names: readonly (keyof typeof cases)[]): Promise<void> {
  for (const name of names) {
    try {
      await cases[name](situation)
    } catch (error) {
      throw new Error(`${situation.act.key}, ${name}: ${String(error)}`, { cause: error })
    }
  }
}
