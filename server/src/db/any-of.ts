import { type ExpressionWrapper, expressionBuilder, type Insertable, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables/index.ts'

/*
 * A statement has at most 65,535 parameters; more arrive as a wrong statement. So a list of any length is one parameter.
 */

/** For `where(column, '=', anyOf(values))`: the column is one of the values, of which there may be any number, also none. */
export const anyOf = <T>(values: readonly T[]): ExpressionWrapper<Tables, never, T> =>
  expressionBuilder<Tables>().fn.any(sql.val(values))

/**
 * For `insertInto(table).columns(columnsOf(rows)).expression(rowsOf(table, rows))`: any number of rows, at least one, all with the columns of the first.
 */
export function rowsOf<Name extends keyof Tables>(
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): RawBuilder<unknown> {
  const columns = sql.join(columnsOf(rows).map((column) => sql.ref(column)))
  return sql`select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows, asText)}::jsonb)`
}

export const columnsOf = <Row extends object>(rows: readonly Row[]) =>
  Object.keys(rows[0] ?? {}) as (keyof Row & string)[]

/** Amounts as text: a number of JSON would lose digits. */
const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
