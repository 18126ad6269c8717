import { notify } from '@candela/server/modules/notice/notify'
import { openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { type Newcomer, payIn } from '../support/people.ts'
import type { Product } from '../support/products/product.ts'
import type { BrowserSession } from '@candela/testing/browser/browser-session'

type Shoot = (name: string, whole?: boolean) => Promise<void>

/** Pictures of the statement, the notices and the devices: empty, filled, opened and failed. `session` is signed in. */
export async function records(
  product: Product,
  person: Newcomer,
  session: BrowserSession,
  shoot: Shoot,
): Promise<void> {
  await session.open('#/statement')
  await session.page.getByText(session.text('statement.empty'), { exact: true }).waitFor()
  await shoot('statement-empty')
  await session.open('#/notices')
  await session.page.getByText(session.text('notice.empty'), { exact: true }).waitFor()
  await shoot('notices-empty')
  await session.open('#/devices')
  await session.page.locator('.device').waitFor()
  await shoot('devices-one')
  await fill(product, person)
  await session.page.locator('.bell-count').waitFor()
  await session.open('#/statement')
  await session.page.reload()
  await session.page.locator('.statement-line').first().waitFor()
  await shoot('statement')
  await session.page.locator('.statement-line').first().click()
  await shoot('statement-line')
  await session.page.keyboard.press('Escape')
  await session.button('statement.group.exchange').click()
  await session.page.getByText(session.text('statement.emptyFilter'), { exact: true }).waitFor()
  await shoot('statement-filtered-empty')
  await session.open('#/notices')
  await session.page.locator('.notice').first().waitFor()
  await shoot('notices')
  await shoot('notices-whole', true)
  await session.open('#/devices')
  await session.page.locator('.device').nth(1).waitFor()
  await shoot('devices')
  await session.page.route('**/api/**', (route) => route.abort())
  for (const screen of ['statement', 'notices', 'devices']) {
    await session.open(`#/${screen}`)
    await session.page.reload()
    await session.page.getByText(session.text('state.failed'), { exact: true }).first().waitFor()
    await shoot(`${screen}-failed`)
  }
}

/** Real money twice, another device, and one notice of each kind that would take weeks to come about. */
async function fill(product: Product, person: Newcomer): Promise<void> {
  await payIn(product, person, '20')
  await payIn(product, person, '1.234567890123456789')
  const db = openDatabase({ url: product.databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const { id } = await db
      .selectFrom('member')
      .select('id')
      .where('address', '=', person.wallet.address)
      .executeTakeFirstOrThrow()
    const about = (nth: number) => ({
      memberId: id,
      source: `picture:${nth}`,
      at: new Date(Date.now() - nth * 3_600_000),
    })
    const hash = `0x${'ab'.repeat(32)}`
    const money = { asset: 'USDT', amount: '1234.5' } as const
    await transaction(db, (tx) =>
      notify(
        tx,
        { ...about(1), kind: 'income', params: { asset: 'HASH', amount: '12.345678901234567', day: '2026-11-20' } },
        {
          ...about(2),
          kind: 'withdrawalRejected',
          params: { ...money, withdrawalNo: 'W1', reason: 'operator', note: 'Please contact support first.' },
        },
        { ...about(3), kind: 'withdrawalDone', params: { ...money, withdrawalNo: 'W2', txHash: hash } },
        { ...about(4), kind: 'withdrawalFailed', params: { ...money, withdrawalNo: 'W3', reason: 'recipient' } },
        {
          ...about(5),
          kind: 'orderActivated',
          params: { orderNo: 'O1', units: '12', startsOn: '2026-11-21', endsOn: '2027-11-20' },
        },
        { ...about(6), kind: 'orderLate', params: { ...money, orderNo: 'O2', txHash: hash } },
        { ...about(7), kind: 'transferReceived', params: { ...money, transferNo: 'T1', fromUid: '100023' } },
      ),
    )
    const now = new Date()
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1'
    await db
      .insertInto('session')
      .values({
        token_hash: Buffer.alloc(32, Number(id % 250n)),
        id: crypto.randomUUID(),
        member_id: id,
        created_at: now,
        seen_at: now,
        expires_at: new Date(now.getTime() + 3_600_000),
        ended_at: null,
        user_agent: agent,
      })
      .execute()
  } finally {
    await db.destroy()
  }
}
