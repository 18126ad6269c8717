import { expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createInvitationCode } from './invitation-code.ts'

test('a link’s code outlasts the page and every place without one, until somebody has signed in with it', () => {
  const memory = new Map<string, string>()
  const page = () => createInvitationCode(memoryStorage(memory))
  page().arrived(' CANDELA1 ')
  const next = page()
  expect(next.get()).toBe('CANDELA1')
  for (const none of [undefined, null, '', '  ']) next.arrived(none)
  expect(next.used('ANOTHER1')).toBe(false)
  expect(page().get()).toBe('CANDELA1')
  expect(next.used(' candela1')).toBe(true)
  expect(next.get()).toBe('')
  expect(memory.size).toBe(0)
})

test.each([
  'CANDELA1.',
  '(CANDELA1)',
  'CANDELA1?fbclid=IwAR0x',
  'CANDELA1，',
  '\u200bCANDELA1\u200b',
  'ＣＡＮＤＥＬＡ１',
])('the code of %j', (text) => {
  const code = createInvitationCode(memoryStorage())
  code.arrived(text)
  expect(code.get()).toBe('CANDELA1')
})

test('what stands between two words is not guessed away', () => {
  const code = createInvitationCode(memoryStorage())
  code.arrived('candela1 and more.')
  expect(code.get()).toBe('candela1 and more')
})

test('a later link replaces it', () => {
  const code = createInvitationCode(memoryStorage())
  code.arrived('FIRST001')
  code.arrived('SECOND02')
  expect(code.get()).toBe('SECOND02')
})

test('of a code that is far too long enough is kept to say so', () => {
  const memory = new Map<string, string>()
  createInvitationCode(memoryStorage(memory)).arrived('x'.repeat(100_000))
  expect(memory.get('invitation')).toHaveLength(64)
})

test('a sign-in without a code uses none up', () => {
  const code = createInvitationCode(memoryStorage())
  expect(code.used('')).toBe(false)
  code.arrived('CANDELA1')
  expect(code.used('')).toBe(false)
  expect(code.get()).toBe('CANDELA1')
})

test('without storage lasts as long as the page', () => {
  const code = createInvitationCode(forbiddenStorage())
  code.arrived('CANDELA1')
  expect(code.get()).toBe('CANDELA1')
})
