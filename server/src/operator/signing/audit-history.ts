import type { Database } from '../../db/open.ts'
import { isDangerousChange, isSettingKey, parseSetting, type SettingKey, settingTable } from '../../db/settings.ts'
import { listLargeApprovals } from '../../modules/withdraw/review.ts'
import type { DecidedName } from '../table/command-table.ts'

type Row = { operator: string; command: string; input: unknown; at: Date }

/** The acts before a row was written, as far as they decide how many sign. */
export type AuditHistory = {
  /** Whether two had to sign it, of a command of which that depends. @param active operators at that time */
  needsTwo(row: Row, active: number): boolean
  /** Takes a row in: what is asked next comes after it. */
  take(row: Row): void
}

/** Reads what approvals needed, and begins with every setting at its default. */
export async function auditHistory(db: Database): Promise<AuditHistory> {
  const settings = new Map<SettingKey, number>()
  const large = await readLargeApprovals(db)

  const needsTwo: Record<DecidedName, (row: Row, active: number) => boolean> = {
    'operator add': (_row, active) => active > 1,
    'setting set': (row) => {
      const change = changeOf(row)
      if (change === undefined) return false
      const { key, value } = change
      return isDangerousChange(key, settings.get(key) ?? settingTable[key].default, value)
    },
    'withdrawal approve': (row) => approvalsOf(row).some((approval) => large.has(approval)),
  }
  return {
    needsTwo: (row, active) => needsTwo[row.command as DecidedName](row, active),
    take: (row) => {
      const change = row.command === 'setting set' ? changeOf(row) : undefined
      if (change !== undefined) settings.set(change.key, change.value)
    },
  }
}

/** Undefined of a setting, or a value of it, that this version does not have. */
function changeOf({ input }: Row): { key: SettingKey; value: number } | undefined {
  const { key, value } = input as { key?: unknown; value?: unknown }
  if (typeof key !== 'string' || typeof value !== 'string' || !isSettingKey(key)) return undefined
  try {
    return { key, value: parseSetting(key, value) }
  } catch {
    return undefined
  }
}

/** One command may approve several. */
const approvalsOf = ({ operator, input, at }: Row): string[] =>
  [(input as { number?: unknown }).number].flat().map((number) => `${String(number)} ${operator} ${at.getTime()}`)

/** Approvals of withdrawals that needed more than one operator, by number, operator and time. */
async function readLargeApprovals(db: Database): Promise<ReadonlySet<string>> {
  const approvals = await listLargeApprovals(db)
  return new Set(
    approvals.flatMap(({ withdrawal_no, operator, at }) =>
      approvalsOf({ command: 'withdrawal approve', input: { number: withdrawal_no }, operator, at }),
    ),
  )
}
