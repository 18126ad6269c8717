import { hash } from 'node:crypto'
import { requestIdOf } from '@candela/protocol/request-id'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { anyText } from '@candela/protocol/testing-any-text'
import * as fc from 'fast-check'
import { z } from 'zod'
import type { Form } from './api-scenario.ts'
import { LOAN_NO, PROJECT_NO } from './lending-state.ts'

type Property = { pattern?: string; enum?: string[]; maxLength?: number; minLength?: number; format?: string }

const amounts = fc.oneof(
  fc.constantFrom('1', '0.5', '10', '1000000', '0.000000000000000001'),
  fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.integer({ min: 1, max: 18 }))
    .map(([whole, places]) => `${whole}.${'1'.repeat(places)}`),
)
const instants = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Mostly what a client makes now; else one from any time. */
const requestIds = fc
  .tuple(fc.uint8Array({ minLength: 10, maxLength: 10 }), fc.option(fc.nat(2 ** 31), { nil: 0, freq: 9 }))
  .map(([random, ago]) => requestIdOf(Date.now() - ago * 10, random))

/** Texts of one field that its schema takes, most of the time. */
function goodTexts(name: string, property: Property): fc.Arbitrary<string> {
  if (property.enum !== undefined) return fc.constantFrom(...property.enum)
  if (name === 'requestId') return requestIds
  if (name === 'projectNo') return fc.constantFrom(PROJECT_NO, PROJECT_NO, PROJECT_NO, 'UNKNOWN')
  if (name === 'loanNo') return fc.constantFrom(LOAN_NO, LOAN_NO, LOAN_NO, 'UNKNOWN')
  if (property.format === 'date-time') return instants
  // Its schema has two patterns, and by chance no text fits both.
  if (name === 'day') return instants.map((instant) => instant.slice(0, 10))
  if (property.format === 'uuid') return fc.uuid()
  if (property.pattern !== undefined) return fc.stringMatching(new RegExp(property.pattern), { size: 'medium' })
  if (/amount|received|price|fee|margin/i.test(name)) return amounts
  if (/deadline|since|before/.test(name)) return instants
  if (name === 'kinds') return fc.constantFrom('deposit', 'income,referral', 'withdrawal-hold,withdrawal')
  return fc.string({ minLength: property.minLength ?? 0, maxLength: Math.min(property.maxLength ?? 60, 60) })
}

/** Inputs that people, scripts and attackers send where something else was expected. */
const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e18',
    '0x1',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    '__proto__',
    "' or 1=1 --",
    '"; drop table member; --',
    '<script>alert(1)</script>',
    '${7*7}',
    '../../etc/passwd',
    '\u0000',
    'a\u0000b',
    '\uD800',
    '１２',
    '٣',
    '🕯️',
    '9'.repeat(400),
    'x'.repeat(20_000),
    '0000-01-01',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
    '99999999999999999',
    '999999999999999999',
    '999999999999999-999999999999999999',
    '999999999999999999-999999999',
    '9223372036854775807',
    '115792089237316195423570985008687907853269984665640564039457584007913129639936',
  ),
  anyText(40),
  amounts,
)

const anything: fc.Arbitrary<string | string[]> = fc.oneof(
  { weight: 6, arbitrary: hostile },
  { weight: 1, arbitrary: fc.array(hostile, { minLength: 2, maxLength: 3 }) },
)

type Shape = { properties: Record<string, Property>; required: string[] }

function shapeOf(key: Key): Shape {
  const { properties = {}, required = [] } = z.toJSONSchema(endpoints[key].input, {
    io: 'input',
    unrepresentable: 'any',
  })
  return { properties: properties as Record<string, Property>, required }
}

/** Forms that the endpoint's own schema takes. */
export function goodForms(key: Key): fc.Arbitrary<Form> {
  const { properties, required } = shapeOf(key)
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, goodTexts(name, property)]),
  )
  const forms: fc.Arbitrary<Form> = fc.record<Record<string, string>>(fields, { requiredKeys: required })
  return forms.map((form) => withOwnRequestId(key, form)).filter((form) => endpoints[key].input.safeParse(form).success)
}

/** With one seed, two endpoints are given the same request ids, and each but the first would answer 4090 and do nothing. */
function withOwnRequestId(key: Key, form: Form): Form {
  const { requestId } = form
  if (typeof requestId !== 'string') return form
  return { ...form, requestId: requestId.slice(0, -8) + hash('sha256', key + requestId).slice(0, 8) }
}

/** Forms that may be anything: good ones with fields spoilt, left out or added. */
export function anyForms(key: Key): fc.Arbitrary<Form> {
  const { properties } = shapeOf(key)
  const names = [...Object.keys(properties), '__proto__x', 'constructor', 'extra']
  const spoil = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 3 })
  const drop = fc.subarray(names)
  return fc
    .tuple(
      goodForms(key),
      spoil,
      fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: drop }),
    )
    .map(([good, spoilt, dropped]) => {
      const rest = Object.entries({ ...good, ...spoilt }).filter(([name]) => !dropped.includes(name))
      return Object.fromEntries(rest)
    })
}

/** The names of the fields that must be there. */
export const requiredFields = (key: Key): string[] => shapeOf(key).required
export const fieldNames = (key: Key): string[] => Object.keys(shapeOf(key).properties)
