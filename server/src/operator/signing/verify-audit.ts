import type { Database } from '../../db/open.ts'
import { definitionOf, isCommandName } from '../table/command-table.ts'
import { auditHistory, type AuditHistory } from './audit-history.ts'
import { ALONE_AFTER_MS, FRESH_MS } from './execute.ts'
import { isSignedBy } from './operator-key.ts'
import { listOperators } from './operators.ts'
import { WAITS_MS } from './proposals.ts'
import { textOf } from './signed-terms.ts'

/** Rows that are read at a time. */
const CHUNK = 1_000

export type AuditFinding = {
  /** Rows whose signature is right. */
  signed: number
  /** Rows of commands that only read. */
  read: number
  /** Rows from before commands were signed: they show a name that was stated, not proved. */
  unsigned: number
  /** The faults, each with its row. Empty when everything is right. */
  bad: string[]
}

/**
 * Goes through the audit table as it came about: every signature is computed again with the key that its operator had, nobody's
 * commands may be missing, time does not go back, what two have to sign was signed by two while the proposal was open, and the
 * operators are those that were added and removed by signed commands.
 */
export async function verifyAudit(db: Database): Promise<AuditFinding> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const audit = auditOf(id, await auditHistory(db))
  for (let after = 0n; ;) {
    const rows = await db
      .selectFrom('operator_audit')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute()
    for (const row of rows) audit.take(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < CHUNK) break
    after = last.id
  }
  return audit.finding(await listOperators(db))
}

type Row = {
  id: bigint
  operator: string | null
  command: string
  input: unknown
  at: Date
  number: bigint | null
  service: string | null
  key: string | null
  signature: string | null
  outcome: 'read' | 'proposed' | 'done' | null
  proposal: bigint | null
}
type Signed = Row & { operator: string; number: bigint; service: string; key: string; signature: string }
type Known = { key: string; last: bigint; isRemoved: boolean }

const isSigned = (row: Row): row is Signed => row.signature !== null

function auditOf(installation: string, history: AuditHistory) {
  const operators = new Map<string, Known>()
  const proposals = new Map<bigint, Signed>()
  const over = new Set<bigint>()
  let last_ms = -Infinity
  const bad: string[] = []
  const counts = { signed: 0, read: 0, unsigned: 0 }

  const isActive = ([, { isRemoved }]: [string, Known]): boolean => !isRemoved

  /** Finds the fault of a signed row; undefined when there is none. */
  function problemOf(row: Signed): string | undefined {
    if (operators.size === 0 && row.command === 'operator add') apply(row)
    const known = operators.get(row.operator)
    if (known === undefined) return `${row.operator} was not an operator`
    const { last, isRemoved, key } = known
    // Also after a bad row, so that what comes behind it is judged for itself.
    known.last = row.number
    if (isRemoved) return `${row.operator} had been removed`
    if (row.key !== key) return `the key is not that of ${row.operator}`
    if (row.number !== last + 1n)
      return `it is command ${row.number} of ${row.operator}, and the one before it is ${last}`
    if (!row.service.startsWith(`${installation} `)) return 'it is signed for another installation'
    const terms = { ...row, input: row.input as Record<string, unknown> }
    if (!isSignedBy(key, textOf(terms), row.signature))
      return `the signature of ${row.operator} is not over these words`
    return problemOfOutcome(row)
  }

  function problemOfOutcome(row: Signed): string | undefined {
    const time = row.at.getTime()
    // Commands of several operators are written down in the order of their commits.
    if (time < last_ms - FRESH_MS) return `its time is before that of the rows before it`
    last_ms = Math.max(last_ms, time)
    if (!isCommandName(row.command)) return 'there is no such command'
    if (row.outcome === 'proposed' && row.proposal !== null) {
      if (proposals.has(row.proposal)) return `proposal ${row.proposal} was made before`
      proposals.set(row.proposal, row)
      return undefined
    }
    const problem = row.proposal === null ? problemOfOne(row) : problemOfTwo(row, row.proposal)
    if (problem === undefined) apply(row)
    return problem
  }

  function problemOfOne(row: Signed): string | undefined {
    const { signers } = isCommandName(row.command) ? definitionOf(row.command) : { signers: 2 }
    const needsTwo = signers === 2 || (signers === 'decided' && history.needsTwo(row, activeOperators()))
    return needsTwo ? `${row.operator} alone signed what two have to sign` : undefined
  }

  function problemOfTwo(row: Signed, proposal: bigint): string | undefined {
    const proposed = proposals.get(proposal)
    if (proposed === undefined) return `proposal ${proposal} was signed by nobody before`
    const isSame = proposed.command === row.command && inputOf(proposed) === inputOf(row)
    if (!isSame) return `proposal ${proposal} was for something else`
    if (over.has(proposal)) return `proposal ${proposal} was over`
    if (operators.get(proposed.operator)?.isRemoved !== false) return `${proposed.operator} had been removed`
    const waited_ms = row.at.getTime() - proposed.at.getTime()
    if (waited_ms >= WAITS_MS) return `proposal ${proposal} had expired`
    over.add(proposal)
    if (proposed.operator !== row.operator) return undefined
    const mayAlone = row.command === 'operator remove' && activeOperators() === 2 && waited_ms >= ALONE_AFTER_MS
    return mayAlone ? undefined : `${row.operator} alone signed what two have to sign`
  }

  const activeOperators = (): number => [...operators].filter(isActive).length

  function apply(row: Signed): void {
    const { command, input } = row
    history.take(row)
    const { name, key, id } = input as { name?: string; key?: string; id?: string }
    if (command === 'proposal end' && id !== undefined) over.add(BigInt(id))
    if (name === undefined) return
    const known = operators.get(name)
    if (command === 'operator remove' && known !== undefined) known.isRemoved = true
    if (command !== 'operator add' || key === undefined || known !== undefined) return
    operators.set(name, { key, last: 0n, isRemoved: false })
  }

  return {
    take(row: Row): void {
      if (isSigned(row)) {
        const problem = problemOf(row)
        if (problem === undefined) counts.signed += 1
        else bad.push(`row ${row.id} (${row.command}): ${problem}`)
      } else if (row.outcome === 'read') counts.read += 1
      else if (operators.size === 0) counts.unsigned += 1
      else bad.push(`row ${row.id} (${row.command}): it is not signed`)
    },
    finding(registered: Awaited<ReturnType<typeof listOperators>>): AuditFinding {
      const wrong = registered.flatMap(({ name, key, signed, removed_at }) => {
        const known = operators.get(name)
        if (known?.key !== key) return [`operator ${name}: no signed command added this key`]
        if (known.isRemoved !== (removed_at !== null))
          return [`operator ${name}: no signed command says whether removed`]
        return known.last === signed ? [] : [`operator ${name}: the last command here is ${known.last}, not ${signed}`]
      })
      const names = new Set(registered.map(({ name }) => name))
      const gone = [...operators.keys()].filter((name) => !names.has(name))
      return {
        ...counts,
        bad: [...bad, ...wrong, ...gone.map((name) => `operator ${name}: is not registered any more`)],
      }
    },
  }
}

const inputOf = ({ input }: Row): string => JSON.stringify(input)
