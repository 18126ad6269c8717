import { z } from 'zod'
import { checkRows, fieldsOf } from './check-rows.ts'
import type { Database } from './open.ts'

/**
 * Runs a statement written by hand and gives its rows the type of the schema. In production the rows are not checked.
 * On a database that was opened with `checkRows`, as those of tests are, they are compared with the schema.
 */
export async function queryRows<Row extends z.ZodType<object>>(
  db: Database,
  row: Row,
  statement: { execute: (db: Database) => Promise<{ rows: unknown[] }> },
): Promise<z.output<Row>[]> {
  const { rows } = await statement.execute(db)
  const fields = fieldsOf(rows)
  if (fields !== undefined) checkRows(row, rows, fields)
  return rows as z.output<Row>[]
}

/** The same columns with null in each: what an outer join gives where nothing fits. */
export function nullsOf<Shape extends z.ZodRawShape>(columns: z.ZodObject<Shape>) {
  const nulls = Object.keys(columns.shape).map((name) => [name, z.null()] as const)
  return z.object(Object.fromEntries(nulls) as { [Name in keyof Shape]: z.ZodNull })
}
