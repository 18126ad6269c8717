import { isDay } from '@candela/protocol/calendar'
import { OperatorError } from '../../kernel/errors.ts'

/** A UTC day as an operator types it. @throws OperatorError when it is none */
export function readDayText(typed: string): string {
  if (isDay(typed)) return typed
  throw new OperatorError(`"${typed}" is not a day such as 2026-01-31`)
}
