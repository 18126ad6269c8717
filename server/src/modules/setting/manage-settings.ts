import { sql } from 'kysely'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { Database, Tx } from '../../db/open.ts'
import {
  isDangerousChange,
  isSettingKey,
  parseSetting,
  readSettings,
  type SettingKey,
  settingTable,
} from '../../db/settings.ts'
import { OperatorError, reasonOf } from '../../kernel/errors.ts'

export type SettingLine = { key: SettingKey; value: number; default: number; dangerous: string; about: string }

/** Sets one setting; it counts from the next use. @throws OperatorError for an unknown key or a value out of range */
export async function setSetting(tx: Tx, key: string, text: string, now: Date): Promise<void> {
  const known = knownKey(key)
  const value = JSON.stringify(valueOf(known, text))
  await tx
    .insertInto('setting')
    .values({ key: known, value, updated_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now }))
    .execute()
}

/** Whether two operators have to set it to this. @throws OperatorError for an unknown key or a value out of range */
export async function isDangerous(tx: Tx, key: string, text: string): Promise<boolean> {
  const known = knownKey(key)
  const after = valueOf(known, text)
  // Locked also where nothing is stored yet: of two changes at once the second is compared with the result of the
  // first.
  await lockSettings(tx)
  return isDangerousChange(known, (await readSettings(tx))[known], after)
}

// Any constant that no other advisory lock of the database uses.
const lockSettings = (tx: Tx) => sql`select pg_advisory_xact_lock(${advisoryLocks.settings})`.execute(tx)

/** Every setting with its value, set or default. */
export async function listSettings(db: Database): Promise<SettingLine[]> {
  const settings = await readSettings(db)
  return (Object.keys(settingTable) as SettingKey[]).map((key) => ({
    key,
    value: settings[key],
    default: settingTable[key].default,
    dangerous: settingTable[key].dangerous,
    about: settingTable[key].about,
  }))
}

/** One setting. @throws OperatorError for an unknown key */
export async function getSetting(db: Database, key: string): Promise<SettingLine> {
  const known = knownKey(key)
  const lines = await listSettings(db)
  return lines.find((line) => line.key === known) as SettingLine
}

function knownKey(key: string): SettingKey {
  if (isSettingKey(key)) return key
  throw new OperatorError(`there is no setting "${key}"; there are ${Object.keys(settingTable).join(', ')}`)
}

function valueOf(key: SettingKey, text: string): number {
  try {
    return parseSetting(key, text)
  } catch (error) {
    throw new OperatorError(reasonOf(error), { cause: error })
  }
}
