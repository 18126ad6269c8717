import { transaction } from '@candela/server/db/open'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { withDatabase } from '../support/database.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { operate } from '../support/operator.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { askToWithdraw, depositUsdt, openWithdrawal, signInInvited, waitForWithdrawal } from '../support/steps.ts'

const PICTURES = 'https://pictures.example'

// A pause stops the withdrawals of all members, and all of them see the pictures.
const { product, journey } = journeysOf(ownProduct({ mode: 'production', env: { IMAGE_ORIGINS: PICTURES } }))

let person: Newcomer
const withUsdt = async () => {
  person = await newcomer(product(), { ju: parseEther('10'), usdt: parseEther('100') })
  return { wallets: [person.pageWallet] }
}

journey('a pause is said, and the next comparison that agrees ends it', withUsdt, async (session) => {
  await signInInvited(session, person)
  await depositUsdt(session, '60')
  await openWithdrawal(session)
  const said = session.page.getByText(session.text('withdraw.pausedText'))
  // A service that has just started says it until its first comparison.
  await said.waitFor({ state: 'detached' })
  await whilePaused(async () => {
    await session.page.reload()
    await said.waitFor()
    expect(await session.button('withdraw.next').isDisabled()).toBe(true)
  })
  // The service compares every few seconds.
  await said.waitFor({ state: 'detached' })
  await askToWithdraw(session, '10')
  await session.button('withdraw.confirm', session.dialog('withdraw.review')).click()
  await waitForWithdrawal(session, 'done')
  await expectBooksToAgree(product())
})

journey(
  'pictures of a project and of a plan are shown from an origin that is allowed, and only from there',
  withUsdt,
  async (session) => {
    const asked: string[] = []
    await session.page.context().route(/^https:/, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'image/svg+xml', body: DRAWING })
    })
    await signInInvited(session, person)
    await session.open('#/project')
    await firstProject(session).waitFor()
    expect(await shownPictures(session)).toEqual([])

    const number = await firstOf('project', 'list')
    const id = await firstOf('plan', 'list')
    await operate(product(), 'first', 'project', 'picture', number, `${PICTURES}/project.svg`)
    await operate(product(), 'first', 'plan', 'picture', id, `${PICTURES}/plan.svg`)
    await session.page.reload()
    await expect.poll(() => shownPictures(session)).toEqual([{ url: `${PICTURES}/project.svg`, width: 80 }])
    await session.open('#/computing')
    await expect.poll(() => shownPictures(session)).toEqual([{ url: `${PICTURES}/plan.svg`, width: 80 }])
    expect(new Set(asked)).toEqual(new Set([`${PICTURES}/project.svg`, `${PICTURES}/plan.svg`]))

    await operate(product(), 'first', 'project', 'picture', number, 'https://others.example/project.svg')
    await session.open('#/project')
    await session.page.reload()
    // Three attempts, all refused by the page's own policy; the project's icon stays in the place.
    await session.page.locator('[data-picture="failed"] svg:visible').waitFor()
    expect(await shownPictures(session)).toEqual([])
    expect(asked.filter((url) => !url.startsWith(PICTURES))).toEqual([])
    expect(session.problems).not.toEqual([])
    for (const problem of session.problems.splice(0))
      expect(problem).toMatch(/others\.example.*Content Security Policy/s)
  },
)

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><circle cx="40" cy="40" r="40"/></svg>'

const firstProject = ({ page }: BrowserSession) => page.locator('.project-card').first()

type Image = { complete: boolean; naturalWidth: number; src: string }

/** Lists the pictures that have arrived, with the width of the file. */
const shownPictures = ({ page }: BrowserSession): Promise<{ url: string; width: number }[]> =>
  page
    .locator('[data-picture="loaded"] img:visible')
    .evaluateAll((images: Image[]) => images.map(({ src, naturalWidth }) => ({ url: src, width: naturalWidth })))

/** The first column of the first row that an operator's list prints. */
async function firstOf(...command: string[]): Promise<string> {
  const printed = await operate(product(), 'first', ...command)
  const id = printed.split('\n')[1]?.split(' ')[0]
  if (id === undefined || id === '') throw new Error(`${command.join(' ')} printed no row: ${printed}`)
  return id
}

/**
 * Writes down what a comparison does that finds a difference for the third time, and keeps the service from writing down
 * its next comparison until `run` has ended.
 */
async function whilePaused(run: () => Promise<void>): Promise<void> {
  await withDatabase(product(), async (db) => {
    const first = db.selectFrom('reconciliation').select('id').limit(1)
    await expect.poll(() => first.executeTakeFirst()).toBeDefined()
    let hasRun = false
    while (!hasRun) {
      await sql`insert into reconciliation (block_number, block_hash, at, paused, finding)
        select block_number, block_hash, now(), true, 'USDT differs' from reconciliation order by id desc limit 1`.execute(
        db,
      )
      hasRun = await transaction(db, async (tx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        await sql`lock table reconciliation in share row exclusive mode`.execute(tx)
        const last = tx.selectFrom('reconciliation').select('paused').orderBy('id', 'desc').limit(1)
        // A comparison of the service's own may have come between.
        if (!(await last.executeTakeFirstOrThrow()).paused) return false
        await run()
        return true
      })
    }
  })
}
