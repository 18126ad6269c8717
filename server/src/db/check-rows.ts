import { z } from 'zod'

/** A column of an answer as Postgres describes it: its name and the number of its type. */
export type Field = { name: string; dataTypeID: number }

const FIELDS = Symbol('fields of an answer')
type Described = { [FIELDS]?: readonly Field[] }

/** Notes with the rows what Postgres has said of their columns. */
export function describeRows(rows: unknown[], fields: readonly Field[]): void {
  Object.defineProperty(rows, FIELDS, { value: fields })
}

/** Undefined unless the database was opened to have rows checked. */
export const fieldsOf = (rows: readonly unknown[]): readonly Field[] | undefined => (rows as Described)[FIELDS]

/** As the driver reads them, see `open.ts`. What is not here is text, such as the values of an enumeration. */
const kinds: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytes',
  20: 'bigint',
  21: 'number',
  23: 'number',
  114: 'json',
  1009: 'array',
  1016: 'array',
  1184: 'date',
  1231: 'array',
  1700: 'bigint',
  3802: 'json',
}

/**
 * Compares the columns of an answer, also of one without rows, and then each row with the schema.
 * @throws Error that names what differs
 */
export function checkRows(schema: z.ZodType, rows: readonly unknown[], fields: readonly Field[]): void {
  const shapes = shapesOf(schema)
  const found = fields.map(({ name }) => name).toSorted()
  for (const shape of shapes) {
    const wanted = Object.keys(shape).toSorted()
    if (wanted.join() !== found.join()) throw new Error(`the columns are ${found.join()}, and not ${wanted.join()}`)
  }
  for (const { name, dataTypeID } of fields) {
    const kind = kinds[dataTypeID] ?? 'text'
    if (!shapes.some((shape) => admits(shape[name], kind))) throw new Error(`the column ${name} is ${kind}`)
  }
  for (const row of rows) schema.parse(row)
}

/** Returns the fields of each variant that a row may have. */
function shapesOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>>[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => shapesOf(option as z.ZodType))
  if (schema instanceof z.ZodObject) return [schema.shape]
  throw new Error(`a row is an object or a union of objects, and not ${schema.def.type}`)
}

function admits(schema: z.ZodType | undefined, kind: string): boolean {
  if (schema instanceof z.ZodNullable) return admits(schema.unwrap() as z.ZodType, kind)
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => admits(option as z.ZodType, kind))
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodCustom) return kind === 'json' || kind === 'bytes'
  if (kind === 'json') return schema instanceof z.ZodObject || schema instanceof z.ZodArray
  if (schema instanceof z.ZodBigInt) return kind === 'bigint'
  if (schema instanceof z.ZodNumber) return kind === 'number'
  if (schema instanceof z.ZodBoolean) return kind === 'boolean'
  if (schema instanceof z.ZodDate) return kind === 'date'
  if (schema instanceof z.ZodArray) return kind === 'array'
  const isText = [z.ZodString, z.ZodEnum, z.ZodLiteral, z.ZodTemplateLiteral].some((one) => schema instanceof one)
  return isText && kind === 'text'
}
