import { assetCodes } from '@candela/protocol/money/assets'
import { endpoints } from '@candela/protocol/endpoints'
import { languages } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { transaction } from '@candela/server/db/open'
import { bookAt, createTestDatabase, othersEnded } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { fakeClock } from '@candela/server/kernel/clock'
import { auditLedger } from '@candela/server/ledger/audit'
import { countDays } from '@candela/server/ledger/statement/count-days'
import { memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { type Posting, postBatch } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { addWithdrawal } from '@candela/server/modules/withdraw/testing'
import { csvLines } from '@candela/server/modules/statement/csv'
import { statementHandlers } from '@candela/server/modules/statement/endpoints'
import * as fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { describe, expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

const ALICE = `0x${'a1'.repeat(20)}`
const BOB = `0x${'b0'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

type Handlers = ReturnType<typeof statementHandlers>
type FileInput = Partial<Parameters<Handlers['GET statement/csv']>[0]>
type ListInput = Partial<Parameters<Handlers['GET statement/list']>[0]>
type Context = Parameters<Handlers['GET statement/list']>[1]

async function startScenario() {
  const database = await createTestDatabase({ poolSize: 4 })
  const { db } = database
  const clock = fakeClock('2026-03-01T00:00:00.000Z')
  const [alice, bob] = [await addMember(db, ALICE), await addMember(db, BOB)]
  const handlers = statementHandlers({ db })
  const contextOf = (memberId: bigint, lang: (typeof languages)[number] = 'en') =>
    ({ memberId, now: clock.now(), lang }) as Context
  return {
    db,
    clock,
    alice,
    bob,
    async list(memberId: bigint, input: ListInput = {}) {
      const page = await handlers['GET statement/list']({ limit: DEFAULT_PAGE_LIMIT, ...input }, contextOf(memberId))
      return endpoints['GET statement/list'].data.parse(page)
    },
    async all(memberId: bigint, input: ListInput = {}) {
      const items = []
      let cursor: string | undefined
      do {
        const page = await this.list(memberId, { limit: 7, ...input, ...(cursor === undefined ? {} : { cursor }) })
        items.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return items
    },
    async csv(memberId: bigint, lang: (typeof languages)[number] = 'en', input: FileInput = {}) {
      let text = ''
      let cursor: string | undefined
      do {
        const pieceOf = { ...input, ...(cursor === undefined ? {} : { cursor }) }
        const piece = await handlers['GET statement/csv'](pieceOf, contextOf(memberId, lang))
        text += piece.text
        cursor = piece.nextCursor ?? undefined
      } while (cursor !== undefined)
      return text
    },
    async post(postings: readonly Posting[]) {
      await bookAt(database.owner, clock.now())
      return transaction(db, (tx) => postBatch(tx, postings))
    },
    period: (memberId: bigint, since: Date, before: Date) =>
      handlers['GET statement/period']({ since, before }, contextOf(memberId)),
    /** Counts days until all that was booked before now is final. */
    async close() {
      await bookAt(database.owner, clock.now())
      for (let run = 0; run < 2; run++) {
        await othersEnded(db)
        await transaction(db, (tx) => countDays(tx))
      }
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

/** A reader of RFC 4180, written from the document alone. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let rest = text.replace(/^\uFEFF/, '')
  while (rest !== '') {
    const row: string[] = []
    for (;;) {
      const match = must(/^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest), `not CSV: ${rest.slice(0, 80)}`)
      row.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'))
      rest = rest.slice(match[0].length)
      if (match[3] === '\r\n') break
    }
    rows.push(row)
  }
  return rows
}

const signed = { requestId: 'r', deadline: '2026-03-01T00:10:00.000Z', signature: '0x' }

const toUnits = (text: string) => {
  const [, sign, whole, decimals = ''] = must(/^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text), `not an amount: ${text}`)
  return BigInt(`${sign ?? ''}${whole ?? ''}${decimals.padEnd(18, '0')}`)
}

/** A time as it stands in a file for people. */
const shown = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
const idOf = (n: number) => `00000000-0000-0000-0000-00000000000${n}`

const member = fc.constantFrom('alice' as const, 'bob' as const)
const move = fc.record({
  what: fc.constantFrom('in' as const, 'hold' as const, 'release' as const, 'pay' as const, 'transfer' as const),
  who: member,
  asset: fc.constantFrom(...assetCodes),
  amount: fc.bigInt({ min: 1n, max: 10n ** 21n }),
  gap_ms: fc.integer({ min: 0, max: 90_000_000 }),
  // How long ago it happened when it is recorded.
  late_ms: fc.constantFrom(0, 12_000, 100_000_000),
})

test('the amounts of a statement sum to the balance, for every asset and account, whatever happened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 60 }), async (moves) => {
      await using scenario = await startScenario()
      const { db, clock } = scenario
      const ids = { alice: scenario.alice, bob: scenario.bob }
      for (const { what, who, asset, amount, gap_ms, late_ms } of moves) {
        clock.advance(gap_ms)
        const [id, other] = [ids[who], ids[who === 'alice' ? 'bob' : 'alice']]
        const available = memberAccount(id, 'memberAvailable', asset)
        const held = memberAccount(id, 'memberHeld', asset)
        const custody = platformAccount('custody', asset)
        const fees = platformAccount('fees', asset)
        const made = { id: randomUUID(), occurredAt: new Date(clock.now().getTime() - late_ms) }
        const posting: Posting = {
          in: {
            ...made,
            kind: 'deposit' as const,
            memo: { ...testMemo('x"y,=1'), txHash: HASH },
            legs: [{ debit: custody, credit: available, amount }],
          },
          hold: {
            ...made,
            kind: 'withdrawal-hold' as const,
            memo: { withdrawalNo: '20260301ABCDEFGHJK', to: ALICE },
            legs: [{ debit: available, credit: held, amount }],
          },
          release: {
            ...made,
            kind: 'withdrawal-release' as const,
            memo: { withdrawalNo: '20260301ABCDEFGHJK', to: ALICE },
            legs: [{ debit: held, credit: available, amount }],
          },
          pay: {
            ...made,
            kind: 'withdrawal' as const,
            memo: { withdrawalNo: '20260301ABCDEFGHJK', to: ALICE },
            legs: [
              { debit: held, credit: custody, amount },
              { debit: held, credit: fees, amount: 1n },
            ],
          },
          transfer: {
            ...made,
            kind: 'transfer' as const,
            memo: { transferNo: '20260301TTTTTTTTTT', fromUid: '1', toUid: '2', from: ALICE, to: BOB, ...signed },
            legs: [{ debit: available, credit: memberAccount(other, 'memberAvailable', asset), amount }],
          },
        }[what]
        // One that overdraws is refused and appears nowhere.
        await scenario.post([posting])
      }
      for (const id of [ids.alice, ids.bob]) {
        const lines = await scenario.all(id)
        const balances = await memberBalances(db, id)
        for (const asset of assetCodes) {
          for (const account of ['available', 'held'] as const) {
            const own = lines.filter((line) => line.asset === asset && line.account === account)
            expect(own.reduce((sum, { amount }) => sum + toUnits(amount), 0n)).toBe(balances[asset][account])
            expect(own[0]?.balance ?? '0').toBe(fromBaseUnits(balances[asset][account]))
            // Each balance is the one before it, plus the amount.
            own.forEach((line, nth) => {
              expect(toUnits(line.balance)).toBe(toUnits(own[nth + 1]?.balance ?? '0') + toUnits(line.amount))
            })
          }
          expect(await scenario.all(id, { asset })).toEqual(lines.filter((line) => line.asset === asset))
        }
        expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length)
        for (const kind of memberPostingKinds) {
          expect(await scenario.all(id, { kinds: [kind] })).toEqual(lines.filter((line) => line.kind === kind))
        }
        const middle = new Date(lines[Math.floor(lines.length / 2)]?.bookedAt ?? clock.now())
        const [older, newer] = [await scenario.all(id, { before: middle }), await scenario.all(id, { since: middle })]
        expect([...newer, ...older]).toEqual(lines)
        const end = new Date(clock.now().getTime() + 1)
        const periods = [await scenario.period(id, new Date(0), middle), await scenario.period(id, middle, end)]
        for (const [nth, own] of [older, newer].entries()) {
          for (const { asset, account, opening, closing } of must(periods[nth], 'there are two').balances) {
            const gained = own.filter((line) => line.asset === asset && line.account === account)
            expect(toUnits(opening) + gained.reduce((sum, { amount }) => sum + toUnits(amount), 0n)).toBe(
              toUnits(closing),
            )
          }
        }
        expect(periods[1]?.balances.map(({ opening }) => opening)).toEqual(
          periods[0]?.balances.map(({ closing }) => closing),
        )
        const [headings, ...rows] = readCsv(await scenario.csv(id))
        expect(headings).toHaveLength(11)
        const [ofLines, ofSums] = [rows.slice(0, lines.length), rows.slice(lines.length)]
        expect(ofLines.map((row) => [row[0], row[1], row[4], row[5], row[7]])).toEqual(
          lines.map(({ bookedAt, at, asset, amount, balance }) => [
            shown(bookedAt),
            shown(at),
            asset,
            `${asset} ${amount}`,
            `${asset} ${balance}`,
          ]),
        )
        for (const [, , , , asset, exact, number] of ofSums) {
          const own = ofLines.filter((row) => row[4] === asset)
          const sum = own.reduce((total, row) => total + toUnits(must(row[5]?.split(' ')[1], 'it has an amount')), 0n)
          expect(exact).toBe(`${asset} ${fromBaseUnits(sum)}`)
          expect(own.reduce((total, row) => total + toUnits(row[6] ?? ''), 0n)).toBe(toUnits(number ?? ''))
          expect(Math.abs(Number(toUnits(number ?? '') - sum))).toBeLessThanOrEqual(5e11)
        }
        expect(ofSums.length).toBe(new Set(lines.map(({ asset }) => asset)).size)
      }
      expect(await auditLedger(db)).toEqual([])
    }),
    { numRuns: 12 },
  )
})

const legsTo = (credit: bigint) => [{ debit: platformAccount('custody', 'USDT'), credit, amount: 5n * WHOLE }]

describe('a line tells what it belongs to', () => {
  test('transaction, order, other side; what a stranger wrote on chain only where it has the form of a number', async () => {
    await using scenario = await startScenario()
    const { alice, clock } = scenario
    const available = memberAccount(alice, 'memberAvailable', 'USDT')
    const made = () => ({ id: randomUUID(), legs: legsTo(available), occurredAt: clock.now() })
    await scenario.post([
      { ...made(), kind: 'unmatched', memo: { ...testMemo('20260301ABCDEFGHJK'), action: 'buyPower', txHash: HASH } },
      { ...made(), kind: 'deposit', memo: { ...testMemo('=HYPERLINK("evil")'), txHash: HASH } },
      {
        ...made(),
        kind: 'transfer',
        memo: { transferNo: '20260301TTTTTTTTTT', fromUid: '12', toUid: '11', from: BOB, to: ALICE, ...signed },
      },
    ])
    expect((await scenario.list(alice)).items).toMatchObject([
      {
        kind: 'transfer',
        reference: { type: 'transfer', no: '20260301TTTTTTTTTT' },
        counterparty: { uid: '12', maskedAddress: '0xb0b0…b0b0' },
        balance: '15',
      },
      { kind: 'deposit', reference: null, txHash: HASH, counterparty: null },
      { kind: 'unmatched', reference: { type: 'order', no: '20260301ABCDEFGHJK' } },
    ])
    expect((await scenario.list(scenario.bob)).items).toEqual([])
    await expect(scenario.list(alice, { cursor: 'zz' })).rejects.toMatchObject({ code: 400 })
  })

  test('the file is in the language of the reader, longer than one piece, and begins once', async () => {
    await using scenario = await startScenario()
    const { alice, clock } = scenario
    const available = memberAccount(alice, 'memberAvailable', 'USDT')
    const postings = Array.from({ length: 1_234 }, (_, nth) => ({
      id: randomUUID(),
      kind: 'income' as const,
      legs: legsTo(available),
      memo: { day: '2026-02-28', nth },
      occurredAt: clock.now(),
    }))
    await scenario.post(postings)
    for (const lang of languages) {
      const text = await scenario.csv(alice, lang)
      expect(text.match(/\uFEFF/g)).toHaveLength(1)
      const [headings, ...rows] = readCsv(text)
      // The last row has the sum.
      const sum = rows.pop()
      expect(sum).toEqual([apiTexts[lang].csvSum, '', '', '', 'USDT', 'USDT 6170', '6170'])
      expect(rows).toHaveLength(1_234)
      expect(new Set(rows.map((row) => row[2]))).toEqual(new Set([apiTexts[lang].postings.income]))
      expect(headings?.[0]).toBe(apiTexts[lang].csvHeadings[0])
    }
  })
})

test('the file of a final period is the same text for ever, and one that is not final is refused', async () => {
  await using scenario = await startScenario()
  const { alice, bob, clock } = scenario
  const [available, held] = [
    memberAccount(alice, 'memberAvailable', 'USDT'),
    memberAccount(alice, 'memberHeld', 'USDT'),
  ]
  const [since, before] = [new Date('2026-03-01T00:00:00.000Z'), new Date('2026-03-02T00:00:00.000Z')]
  const withdrawal = { withdrawalNo: '20260301ABCDEFGHJK', to: ALICE }
  clock.advance(3_600_000)
  await scenario.post([
    {
      id: idOf(1),
      kind: 'deposit',
      legs: legsTo(available),
      memo: { ...testMemo('20260301DDDDDDDDDD'), txHash: HASH },
      // On the day before, as its block has it.
      occurredAt: new Date('2026-02-28T23:59:58.000Z'),
    },
  ])
  const custody = platformAccount('custody', 'USDT')
  const paid = [
    { debit: held, credit: custody, amount: 2n * WHOLE },
    { debit: held, credit: platformAccount('fees', 'USDT'), amount: WHOLE / 2n },
  ]
  const hold = [{ debit: available, credit: held, amount: (5n * WHOLE) / 2n }]
  const given = [{ debit: available, credit: memberAccount(bob, 'memberAvailable', 'USDT'), amount: 1n }]
  const sides = { transferNo: '20260301TTTTTTTTTT', fromUid: '11', toUid: '12', from: ALICE, to: BOB }
  const occurredAt = clock.now()
  await scenario.post([
    { id: idOf(2), kind: 'withdrawal-hold', legs: hold, memo: withdrawal, occurredAt },
    { id: idOf(3), kind: 'withdrawal', legs: paid, memo: withdrawal, occurredAt },
    { id: idOf(4), kind: 'transfer', legs: given, memo: { ...sides, ...signed }, occurredAt },
  ])
  const done = { withdrawal_no: withdrawal.withdrawalNo, member_id: alice, to_address: ALICE, state: 'done' as const }
  await addWithdrawal(scenario.db, 1, done)
  const { id: withdrawal_id } = await scenario.db.selectFrom('withdrawal').select('id').executeTakeFirstOrThrow()
  const step = { withdrawal_id, state: 'done' as const, tx_hash: HASH, at: occurredAt }
  await scenario.db.insertInto('withdrawal_step').values(step).execute()
  const exact = () => scenario.csv(alice, 'zh', { format: '1', since, before, asset: 'USDT' })
  await scenario.close()
  await expect(exact()).rejects.toMatchObject({ code: 400, params: { field: 'before', reason: 'notFinal' } })
  await expect(scenario.csv(alice, 'zh', { format: '1' })).rejects.toMatchObject({ code: 400 })
  expect(await scenario.period(alice, since, before)).toMatchObject({ isFinal: false })
  clock.set(before)
  await scenario.close()
  const file = await exact()
  // The same in each version of the service.
  expect(file).toBe(
    [
      'candela-statement,1',
      'period,2026-03-01T00:00:00.000Z,2026-03-02T00:00:00.000Z',
      'closing,available,USDT,2.499999999999999999',
      'closing,held,USDT,0',
      'line,id,bookedAt,valueAt,kind,part,account,asset,amount,balance,referenceType,reference,counterpartyUid,counterparty,txHash',
      `line,${idOf(4)}-1,2026-03-01T01:00:00.000Z,2026-03-01T01:00:00.000Z,transfer,,available,USDT,-0.000000000000000001,2.499999999999999999,transfer,20260301TTTTTTTTTT,12,0xb0b0…b0b0,`,
      `line,${idOf(3)}-3,2026-03-01T01:00:00.000Z,2026-03-01T01:00:00.000Z,withdrawal,fee,held,USDT,-0.5,0,withdrawal,20260301ABCDEFGHJK,,,${HASH}`,
      `line,${idOf(3)}-1,2026-03-01T01:00:00.000Z,2026-03-01T01:00:00.000Z,withdrawal,,held,USDT,-2,0.5,withdrawal,20260301ABCDEFGHJK,,,${HASH}`,
      `line,${idOf(2)}-2,2026-03-01T01:00:00.000Z,2026-03-01T01:00:00.000Z,withdrawal-hold,,held,USDT,2.5,2.5,withdrawal,20260301ABCDEFGHJK,,,`,
      `line,${idOf(2)}-1,2026-03-01T01:00:00.000Z,2026-03-01T01:00:00.000Z,withdrawal-hold,,available,USDT,-2.5,2.5,withdrawal,20260301ABCDEFGHJK,,,`,
      `line,${idOf(1)}-2,2026-03-01T01:00:00.000Z,2026-02-28T23:59:58.000Z,deposit,,available,USDT,5,5,deposit,20260301DDDDDDDDDD,,,${HASH}`,
      'opening,available,USDT,0',
      'opening,held,USDT,0',
      'end',
      '',
    ].join('\r\n'),
  )
  // A line of that day that is recorded later is in the next period.
  await scenario.post([
    { id: idOf(5), kind: 'income', legs: legsTo(available), memo: { day: '2026-03-01' }, occurredAt },
  ])
  await scenario.close()
  expect(await exact()).toBe(file)
  expect(await scenario.period(alice, since, before)).toMatchObject({ isFinal: true })
  const next = await scenario
    .csv(alice, 'en', { format: '1', since: before, before: new Date(before.getTime() + 1), asset: 'USDT' })
    .catch(String)
  expect(next).toContain('400')
  expect(await scenario.all(alice, { since: before })).toMatchObject([{ kind: 'income', at: occurredAt.toISOString() }])
})

test('what a spreadsheet would run is made a text, a number stays a number, and quotes survive', () => {
  const dangerous = ['=1+1', '+1', '@x', '-cmd', '\tx', '-1,5', '=HYPERLINK("a","b")', '\r=1']
  for (const text of dangerous) expect(readCsv(csvLines([[text]]))).toEqual([[`'${text}`]])
  for (const text of ['-1.5', '0', 'a,b', 'say "x"', 'two\r\nlines', '提领']) {
    expect(readCsv(csvLines([[text, 'end']]))).toEqual([[text, 'end']])
  }
})
