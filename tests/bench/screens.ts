/**
 * Measures what screens cost somebody who is signed in: Lighthouse's mobile scores, how soon a tap on a long list is answered, and how
 * long a proof takes to verify, both with the processor slowed down to a quarter. Prints each figure beside its aim; ends with 1 when
 * one is missed.
 *
 *   npx node tests/bench/screens.ts [--postings 100000] [--runs 5]
 */
import { DAY_MS } from '@candela/protocol/units'
import { freePort } from '@candela/testing/process/ports'
import { openOwnProfile, startBrowser } from '@candela/testing/browser/browser'
import { type BrowserSession, openBrowserSession } from '@candela/testing/browser/browser-session'
import { memberIdOf, withDatabase } from '@candela/journeys/support/database'
import { newcomer, payIn } from '@candela/journeys/support/people'
import { type Product, startProduct } from '@candela/journeys/support/products/product'
import { signInInvited, tokenOf } from '@candela/journeys/support/steps'
import { waitUntil } from '@candela/testing/browser/wait-until'
import lighthouse from 'lighthouse'
import { parseEther } from 'viem'
import { addEntries } from '../../server/test/history/add-entries.ts'
import { median, percentile, print } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: { postings: { type: 'string', default: '100000' }, runs: { type: 'string', default: '5' } },
})
/** A twentieth of these postings is income, and as much are rewards. */
const POSTINGS = Number(flags.postings)
const RUNS = Number(flags.runs)

const SLOWED = 4
const AIM_SCORE = 98
const AIM_INTERACTION_MS = 100
const AIM_VERIFY_MS = 300
const AIM_NODES = 800
const PAGES_SCROLLED = 40
const TAPS = 12

/** The parts of the score of performance. */
const TIMINGS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

const missed: string[] = []

function say(what: string, found: number, aim: number, kind: 'at least' | 'at most'): void {
  const isMissed = kind === 'at least' ? found < aim : found > aim
  if (isMissed) missed.push(what)
  print(`  ${what}: ${Math.round(found)} (aim ${kind === 'at least' ? '≥' : '≤'} ${aim})${isMissed ? ', missed' : ''}`)
}

/** A person who is signed in, in a browser that Lighthouse can reach. */
async function signedIn(product: Product, browser: Awaited<ReturnType<typeof startBrowser>>['browser']) {
  const person = await newcomer(product, { ju: parseEther('20') })
  const session = await openBrowserSession({ browser, origin: product.origin, wallets: [person.pageWallet] })
  await signInInvited(session, person)
  return { person, session }
}

async function scoresOf(product: Product, session: BrowserSession, port: number, address: string): Promise<void> {
  const token = await tokenOf(session)
  // Lighthouse opens its pages beside those of the session, where nobody is signed in yet.
  await using profile = await openOwnProfile(port)
  const page = await profile.context.newPage()
  await page.goto(product.origin)
  await page.evaluate(
    ([key, owner]) => {
      const { localStorage } = globalThis as unknown as { localStorage: { setItem(name: string, value: string): void } }
      localStorage.setItem('token', key ?? '')
      localStorage.setItem('address', owner ?? '')
    },
    [token, address],
  )
  await page.close()
  for (const path of ['/computing', '/mine', '/lending']) {
    const runs: Record<string, number>[] = []
    const timings: Record<string, number>[] = []
    while (runs.length < RUNS) {
      const result = await lighthouse(`${product.origin}/#${path}`, {
        port,
        output: 'json',
        logLevel: 'error',
        disableStorageReset: true,
        onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
      })
      if (result === undefined || result.lhr.runtimeError !== undefined) throw new Error('Lighthouse gave no result')
      const scores = Object.entries(result.lhr.categories)
      const { audits } = result.lhr
      timings.push(Object.fromEntries(TIMINGS.map((name) => [name, audits[name]?.numericValue ?? 0])))
      runs.push(Object.fromEntries(scores.map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)])))
    }
    for (const name of Object.keys(runs[0] ?? {}))
      say(`${path} ${name}`, median(runs.map((run) => run[name] ?? 0)), AIM_SCORE, 'at least')
    const middle = (name: string) => median(timings.map((run) => run[name] ?? 0))
    print(`    ${TIMINGS.map((name) => `${name} ${middle(name).toFixed(name.endsWith('shift') ? 3 : 0)}`).join(', ')}`)
  }
}

type Page = {
  candelaEvents: number[]
  PerformanceObserver: new (told: (list: { getEntries(): { duration: number; interactionId: number }[] }) => void) => {
    observe(what: object): void
  }
}

/** From the tap to the next paint, of each interaction of the page, in milliseconds. */
function recordInteractions(): void {
  const page = globalThis as unknown as Page
  page.candelaEvents = []
  new page.PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId !== 0) page.candelaEvents.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
}

async function slowDown({ page }: BrowserSession, rate: number) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  return devtools
}

async function tapLongList(session: BrowserSession, path: string): Promise<void> {
  const { page } = session
  // Else the screen before it would be kept beside it, and counted.
  await page.goto('about:blank')
  await session.open(`#${path}`)
  const rows = page.locator('ul.list > li').filter({ visible: true })
  await rows.first().waitFor()
  let nodes = 0
  for (let screen = 0; screen < PAGES_SCROLLED; screen++) {
    await page.mouse.wheel(0, 1_500)
    await page.waitForTimeout(100)
    nodes = Math.max(nodes, await page.locator('body *').count())
  }
  const devtools = await slowDown(session, SLOWED)
  await page.evaluate(recordInteractions)
  for (let nth = 0; nth < TAPS; nth++) {
    await rows.getByRole('button').nth(3).tap()
    await page.getByRole('dialog').filter({ visible: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.wheel(0, 1_500)
    await page.waitForTimeout(300)
  }
  const events = await page.evaluate(() => (globalThis as unknown as Page).candelaEvents)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  // An interaction under 16 ms is not reported at all.
  if (events.length === 0) events.push(0)
  print(`  ${path}: ${events.length} interactions above 16 ms, median ${median(events)} ms`)
  say(
    `${path} interaction to next paint (ms, the slowest of a hundred)`,
    percentile(events, 0.99),
    AIM_INTERACTION_MS,
    'at most',
  )
  say(`${path} elements`, nodes, AIM_NODES, 'at most')
}

async function verifyProof(): Promise<void> {
  // Only here can a day pass.
  const product = await startProduct({ mode: 'development' })
  const { browser, close } = await startBrowser()
  try {
    const person = await newcomer(product, { ju: parseEther('20') })
    const session = await openBrowserSession({ browser, origin: product.origin, wallets: [person.pageWallet] })
    await signInInvited(session, person, undefined, person.pageWallet.name)
    await payIn(product, person, '5')
    const latest = async () => {
      const answer = await fetch(`${product.origin}/api/v1/solvency/latest`)
      return ((await answer.json()) as { data: { attestation: { day: string } | null } }).data.attestation?.day
    }
    await waitUntil('a day is attested', async () => (await latest()) !== undefined)
    const before = await latest()
    await product.passTime(DAY_MS)
    await waitUntil('the next day is attested', async () => (await latest()) !== before)
    await session.open('#/solvency')
    await session.button('proof.verify').waitFor()
    const devtools = await slowDown(session, SLOWED)
    await devtools.send('Performance.enable')
    const worked_ms = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
    }
    const taken: number[] = []
    for (let run = 0; run < RUNS; run++) {
      await session.page.reload()
      await session.button('proof.verify').waitFor()
      await session.page.waitForLoadState('networkidle')
      const began = await worked_ms()
      await session.button('proof.verify').click()
      await session.page.locator('[data-step="statement"][data-result="good"]').waitFor()
      taken.push((await worked_ms()) - began)
    }
    say('verifying a proof: work of the main thread (ms)', median(taken), AIM_VERIFY_MS, 'at most')
    await session.close()
  } finally {
    await close()
    await product.stop()
  }
}

const product = await startProduct({ mode: 'production' })
try {
  const port = await freePort()
  const { browser, close } = await startBrowser({ debuggingPort: port })
  try {
    const { person, session } = await signedIn(product, browser)
    await scoresOf(product, session, port, person.wallet.address)
    await withDatabase(product, async (db) => addEntries(db, await memberIdOf(db, person), POSTINGS, new Date()))
    for (const path of ['/statement', '/incomeList']) await tapLongList(session, path)
    await session.close()
  } finally {
    await close()
  }
} finally {
  await product.stop()
}
await verifyProof()
print(missed.length === 0 ? 'every aim is reached' : `missed: ${missed.join(', ')}`)
if (missed.length > 0) process.exitCode = 1
