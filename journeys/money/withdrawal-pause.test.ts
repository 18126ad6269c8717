import { transaction } from '@candela/server/db/open'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { expectBooksToAgree } from '../support/books.ts'
import { withDatabase } from '../support/database.ts'
import { journeysOf, ownProduct } from '../support/journey.ts'
import { newcomer, type Newcomer } from '../support/people.ts'
import { askToWithdraw, depositUsdt, openWithdrawal, signInInvited, waitForWithdrawal } from '../support/steps.ts'

// A pause stops the withdrawals of all members.
const { product, journey } = journeysOf(ownProduct({ mode: 'production' }))

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
