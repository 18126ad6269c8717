import { z } from 'zod'
import { MILLION, sum, toBase, toText } from '../amounts.ts'
import type { IncomeDay } from '../published.ts'
import { owedBy } from '../owed.ts'
import type { Proof } from '../proof-form.ts'
import { grouped } from '../grouped.ts'
import type { Report } from '../report.ts'
import { contextOf, leafHash, rootBy, saltOf } from '../sum-tree.ts'
import { toNode, toSums } from '../tree-parts.ts'
import type { Attestation } from './attestations.ts'

const amount = z.string().regex(/^-?\d+(\.\d+)?$/)

/** Cells of a CSV file (RFC 4180). */
export function readCsv(file: string): string[][] {
  const rows: string[][] = [['']]
  let isQuoted = false
  const body = file.replace(/^\uFEFF/, '')
  for (let at = 0; at < body.length; at++) {
    const row = rows.at(-1)!
    const char = body[at]!
    const add = (text: string) => row.push(`${row.pop() ?? ''}${text}`)
    if (isQuoted && char === '"' && body[at + 1] === '"') {
      add(char)
      at += 1
    } else if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) add(char)
    else if (char === ',') row.push('')
    else if (char === '\n') rows.push([''])
    else if (char !== '\r') add(char)
  }
  return rows.filter((row) => row.length > 1)
}

type Line = { account: string; asset: string; change: string; after: string; at: string }

/** Behind the code of an asset, as a spreadsheet keeps it; older files have the amount alone. */
const amountIn = (cell: string): string => cell.split(' ').at(-1) ?? ''

/** Lines of a statement for people, newest first: of today's form with 11 columns, or of the one before with 9. Sums have no time. */
function readableLines([headings = [], ...rows]: string[][]): Line[] {
  const [account, change, balance] = headings.length > 9 ? [3, 5, 7] : [2, 4, 5]
  return rows
    .filter(([at = '']) => /^[0-9]/.test(at))
    .map((row) => ({
      at: row[0] ?? '',
      account: row[account] ?? '',
      asset: row[account + 1] ?? '',
      change: amountIn(row[change] ?? ''),
      after: amountIn(row[balance] ?? ''),
    }))
}

/**
 * A statement: of each account and asset every line's balance is the one before it plus its amount. Lines are newest first.
 * One for people may begin in the middle: then the first balance is taken as it is, and what it says of sums is recomputed. One for
 * programs has the balances at both ends.
 */
export function checkStatement(report: Report, text: string): void {
  const rows = readCsv(text)
  if (rows[0]?.[0] === 'candela-statement') return checkExactStatement(report, rows)
  const lines = readableLines(rows)
  for (const [name, entries] of grouped(lines, ({ account, asset }) => `${asset} ${account}`))
    checkLines(report, name, entries, null, null)
  const sums = rows.slice(1).filter(([at = '']) => !/^[0-9]/.test(at))
  for (const [, , , , asset = '', exact = '', rounded = ''] of sums) {
    const own = lines.filter((line) => line.asset === asset)
    const numbers = rows.filter((row) => /^[0-9]/.test(row[0] ?? '') && row[4] === asset)
    report.equal('statement', `sum of ${asset}`, amountIn(exact), toText(sum(own.map(({ change }) => toBase(change)))))
    report.equal('statement', `column of ${asset}`, rounded, toText(sum(numbers.map((row) => toBase(row[6] ?? '0')))))
  }
  if (lines.length === 0) report.skipped('statement', 'file', 'no lines')
}

function checkExactStatement(report: Report, rows: string[][]): void {
  if (rows[0]?.[1] !== '1') return report.skipped('statement', 'file', `form ${rows[0]?.[1]} is not known`)
  const balances = (end: string) =>
    new Map(rows.flatMap((row) => (row[0] === end ? [[`${row[2]} ${row[1]}`, row[3] ?? '']] : [])))
  const [opening, closing] = [balances('opening'), balances('closing')]
  const lines = rows
    .filter((row) => row[0] === 'line' && row[1] !== 'id')
    .map((row) => ({
      at: row[2] ?? '',
      account: row[6] ?? '',
      asset: row[7] ?? '',
      change: row[8] ?? '',
      after: row[9] ?? '',
    }))
  for (const [name, end] of closing) {
    const entries = lines.filter(({ account, asset }) => `${asset} ${account}` === name)
    checkLines(report, name, entries, opening.get(name) ?? null, end)
  }
}

/** @param entries of one account, newest first */
function checkLines(
  report: Report,
  name: string,
  entries: Line[],
  opening: string | null,
  closing: string | null,
): void {
  let balance = opening === null ? null : toBase(opening)
  const wrong = entries.toReversed().find(({ change, after }) => {
    const follows = balance === null || balance + toBase(change) === toBase(after)
    balance = toBase(after)
    return !follows
  })
  if (wrong !== undefined)
    return report.differs(
      'statement',
      name,
      `the balance ${wrong.after} at ${wrong.at} is not the one before it plus ${wrong.change}`,
    )
  if (closing !== null && toText(balance ?? 0n) !== closing)
    return report.differs('statement', name, `${toText(balance ?? 0n)} by its lines, and ${closing} by its end`)
  report.agrees('statement', name, `${entries.length} lines, ${toText(balance ?? 0n)} at the end`)
}

export const incomeForm = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      amount,
      day: z.string().nullable(),
      units: z.array(z.object({ planId: z.string(), units: z.number() })),
    }),
  ),
})

/** Every output is the member's units' share of the published day. @param dayOf the published figures of a day */
export async function checkIncomes(
  report: Report,
  { items }: z.infer<typeof incomeForm>,
  dayOf: (day: string) => Promise<IncomeDay | null>,
): Promise<void> {
  for (const item of items) {
    if (item.type !== 'output' || item.day === null) continue
    const day = await dayOf(item.day)
    if (day === null) {
      report.differs('own income', item.day, 'nothing is published for that day')
      continue
    }
    const revenue = toBase(day.revenue)
    const pool = revenue === 0n ? 0n : revenue + toBase(day.carriedIn)
    const share = sum(
      item.units.map(({ planId, units }) => {
        const plan = day.plans.find((one) => one.planId === planId)
        const rate = MILLION - toBase(plan?.feeRate ?? '1', 6)
        return day.totalUnits === 0 ? 0n : (pool * rate * BigInt(units)) / (MILLION * BigInt(day.totalUnits))
      }),
    )
    report.equal('own income', item.day, item.amount, toText(share))
  }
}

export const loanForm = z.object({
  loan: z.object({
    loanNo: z.string(),
    lent: amount,
    principal: amount,
    principalRepaid: amount,
    principalWrittenOff: amount.default('0'),
    collateral: amount,
    rate: amount,
  }),
  entries: z.array(
    z.object({
      part: z.enum(['principal', 'interest', 'charges', 'collateral']),
      kind: z.string(),
      amount,
      balance: amount,
      day: z.string().nullable(),
      at: z.string(),
    }),
  ),
})

type LoanFile = z.infer<typeof loanForm>

/**
 * A loan: the lines of each part follow from each other and end at what is owed, what was lent is owed or repaid, and the
 * interest of each day is that of the principal at the end of the day before. Entries are newest first.
 */
export function checkLoan(report: Report, file: LoanFile): void {
  const { loan, entries } = file
  const parts = grouped(entries.toReversed(), ({ part }) => part)
  for (const [part, lines] of parts) {
    let balance = 0n
    const wrong = lines.find((line) => {
      balance += toBase(line.amount)
      return balance !== toBase(line.balance)
    })
    if (wrong === undefined) report.agrees('own loan', `${loan.loanNo} ${part}`, toText(balance))
    else
      report.differs(
        'own loan',
        `${loan.loanNo} ${part}`,
        `the line with balance ${wrong.balance} does not follow from those before it`,
      )
    if (wrong === undefined && (part === 'principal' || part === 'collateral'))
      report.equal('own loan', `${loan.loanNo} ${part} owed`, loan[part], toText(balance))
  }
  report.equal(
    'own loan',
    `${loan.loanNo} lent`,
    loan.lent,
    toText(toBase(loan.principal) + toBase(loan.principalRepaid) + toBase(loan.principalWrittenOff)),
  )
  checkInterest(report, file)
}

const DAYS_OF_A_YEAR = 365n
const BEGINNINGS = ['loan', 'lever-open']

/** The first charge is of all that was lent; each later one of what was owed when the day before it ended. Rounded up to a base unit. */
function checkInterest(report: Report, { loan, entries }: LoanFile): void {
  const name = `${loan.loanNo} interest`
  if (entries.some(({ kind }) => kind === 'interest-correction'))
    return report.skipped(
      'own loan',
      name,
      'a payment counts from a block before it was credited, which changed days afterwards',
    )
  const principal = entries.filter(({ part }) => part === 'principal')
  // The fund's part of a day's interest and the reserve's are a line each.
  const charged = grouped(
    entries.filter(({ part, kind }) => part === 'interest' && kind === 'interest'),
    ({ day }) => day ?? '',
  )
  const [first] = [...charged.keys()].toSorted()
  const rate = toBase(loan.rate, 6)
  const wrong = [...charged].filter(([day, lines]) => {
    const counted = principal.filter(({ kind, at }) =>
      day === first ? BEGINNINGS.includes(kind) : at.slice(0, 10) < day,
    )
    const owed = sum(counted.map((line) => toBase(line.amount)))
    const divisor = MILLION * DAYS_OF_A_YEAR
    return sum(lines.map((line) => toBase(line.amount))) !== (owed * rate + divisor - 1n) / divisor
  })
  const days = wrong.map(([day]) => day).join(', ')
  if (charged.size === 0 || wrong.length > 0)
    report.differs('own loan', name, `it does not follow from the principal on ${days || 'any day'}`)
  else report.agrees('own loan', name, `${charged.size} days`)
}

/** A member's proof: its salt follows from its secret, its path leads to the root and sums that the contract attested for that day, and its parts to its leaf. */
export function checkProof(
  report: Report,
  proof: Proof,
  of: { chainId: number; gateway: string },
  attestations: readonly Attestation[],
): void {
  const name = `${proof.day} ${proof.leaf.member}`
  report.equal('own proof', `${name} chain`, proof.chainId, of.chainId)
  report.equal('own proof', `${name} contract`, proof.gateway.toLowerCase(), of.gateway)
  const attested = attestations.find(({ day }) => day === proof.day)
  if (attested === undefined) return report.differs('own proof', name, 'nothing was attested for that day')
  try {
    const context = contextOf(proof)
    if (proof.version === 2) report.equal('own proof', `${name} salt`, proof.leaf.salt, saltOf(context, proof.secret))
    const leaf = {
      hash: leafHash(context, { ...proof.leaf, owed: toSums(proof.leaf.owed) }),
      sums: toSums(proof.leaf.owed),
    }
    const root = rootBy(leaf, proof.leaf.position, proof.path.map(toNode))
    report.equal('own proof', `${name} root`, attested.root, root.hash)
    report.equal(
      'own proof',
      `${name} sums`,
      attested.sums.map((each) => toText(each)),
      root.sums.map((each) => toText(each)),
    )
    report.equal('own proof', `${name} depth`, 2 ** proof.path.length, attested.leaves)
  } catch (error) {
    report.differs('own proof', name, String(error))
  }
  report.equal('own proof', `${name} block`, proof.block, attested.block)
  report.equal('own proof', `${name} ledger sequence`, proof.ledgerSequence, attested.ledgerSequence)
  const { parts } = proof
  if (parts === undefined)
    return report.skipped('own proof', `${name} amounts`, 'the file has nothing to recompute them by')
  report.equal('own proof', `${name} amounts`, proof.leaf.owed, owedBy(parts))
  report.equal('own proof', `${name} parts of day`, parts.day, proof.day)
  report.equal('own proof', `${name} parts at sequence`, parts.ledgerSequence, attested.ledgerSequence)
}
