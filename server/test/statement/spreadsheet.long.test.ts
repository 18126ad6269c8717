import { fromBaseUnits } from '@candela/protocol/money/money'
import { transaction } from '@candela/server/db/open'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { type Posting, postBatch } from '@candela/server/ledger/post'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { statementFile } from '@candela/server/modules/statement/statement-file'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The version of LibreOffice; null where it is not installed: Debian has it as libreoffice-calc. */
const version = (() => {
  try {
    return execFileSync('soffice', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
})()

type Cell = { type: string; text: string; value: string }

/** The cells of a CSV file as a spreadsheet takes them: the type of each, its text, and the value that it computes with. */
async function openInSpreadsheet(csv: string): Promise<Cell[][]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'candela-sheet-'))
  try {
    await writeFile(path.join(folder, 'statement.csv'), csv)
    const profile = `-env:UserInstallation=file://${folder}/profile`
    // Commas, quotes, UTF-8, from the first line; numbers and times are recognised, as by a double click.
    const options = ['--infilter=CSV:44,34,76,1,,1033,false,true,false', '--convert-to', 'fods', '--outdir', folder]
    await promisify(execFile)('soffice', [profile, '--headless', ...options, path.join(folder, 'statement.csv')])
    const sheet = await readFile(path.join(folder, 'statement.fods'), 'utf8')
    return [...sheet.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) => cellsOf(row))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const cellsOf = (row: string): Cell[] =>
  [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
    ([, names = '', inner = '']) => {
      const named = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(names)?.[1]
      const text = [...inner.matchAll(/<text:p>(.*?)<\/text:p>/gs)]
        .map(([, line = '']) => line.replaceAll(/<[^>]*>/g, ' '))
        .join('')
      const cell = {
        type: named('office:value-type') ?? '',
        text,
        value: named('office:value') ?? named('office:date-value') ?? '',
      }
      return Array.from({ length: Math.min(Number(named('table:number-columns-repeated') ?? 1), 20) }, () => cell)
    },
  )

test.skipIf(version === null)(
  'a spreadsheet (LibreOffice) keeps numbers of records and all digits, reads times, and sums the column to the last row',
  async () => {
    await using database = await createTestDatabase()
    const member = await addMember(database.db, `0x${'a1'.repeat(20)}`)
    const available = memberAccount(member, 'memberAvailable', 'USDT')
    const custody = platformAccount('custody', 'USDT')
    const exact = 1_234n * WHOLE + 567_890_123_456_789_012n
    const postings: Posting[] = [
      // A number that spreadsheets take for a power of ten.
      {
        id: randomUUID(),
        kind: 'unmatched',
        memo: {
          action: 'buyPower',
          reference: '2026112692738659E8',
          payer: '0x',
          customer: '0x',
          txHash: `0x${'12'.repeat(32)}`,
        },
        legs: [{ debit: custody, credit: available, amount: exact }],
        occurredAt: new Date('2026-03-01T23:59:58.123Z'),
      },
      ...Array.from({ length: 7 }, (_none, nth) => ({
        id: randomUUID(),
        kind: 'income' as const,
        memo: { day: '2026-02-28' },
        // A third of a millionth, which rounding alone would lose.
        legs: [{ debit: custody, credit: available, amount: 333_333_333_333n + BigInt(nth) }],
        occurredAt: new Date('2026-03-02T00:10:00.000Z'),
      })),
    ]
    await transaction(database.db, (tx) => postBatch(tx, postings))
    const { text } = await statementFile(database.db, member, {}, 'en')
    const rows = (await openInSpreadsheet(text)).filter((row) => row.some((cell) => cell.text !== ''))
    const lines = rows.slice(1, 9)
    expect(rows).toHaveLength(10)
    for (const [booked, at, , , , amount, number, balance] of lines) {
      expect([booked?.type, at?.type]).toEqual(['date', 'date'])
      expect([amount?.type, number?.type, balance?.type]).toEqual(['string', 'float', 'string'])
    }
    const first = lines.at(-1)
    expect(first?.[1]?.value).toBe('2026-03-01T23:59:58')
    expect(first?.[5]?.text).toBe(`USDT ${fromBaseUnits(exact)}`)
    expect(first?.[8]).toMatchObject({ type: 'string', text: 'No. 2026112692738659E8' })
    expect(first?.[10]).toMatchObject({ type: 'string', text: `0x${'12'.repeat(32)}` })
    const sum = lines.reduce((total, row) => total + Math.round(Number(row[6]?.value) * 1e6), 0)
    const last = rows.at(-1)
    expect(last?.[0]?.text).toBe('Sum')
    expect(sum).toBe(Math.round(Number(last?.[6]?.value) * 1e6))
    const total = exact + 7n * 333_333_333_333n + 21n
    expect(last?.[5]).toMatchObject({ type: 'string', text: `USDT ${fromBaseUnits(total)}` })
  },
)
