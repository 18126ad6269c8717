import { expect, test } from 'vitest'
import type { App } from '../../session/app-context.tsx'
import { onlyOne } from './only-one.ts'

test('two taps in one moment are one; another one, and one after the first has ended, are their own', async () => {
  const app = {} as App
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = onlyOne(app, 'DEP1', 'second', () => promise)
  expect(await onlyOne(app, 'DEP1', 'second', () => Promise.resolve('paid twice'))).toBe('second')
  expect(await onlyOne(app, 'DEP2', 'second', () => Promise.resolve('another'))).toBe('another')
  resolve('paid')
  expect(await first).toBe('paid')
  await expect(onlyOne(app, 'DEP1', 'second', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await onlyOne(app, 'DEP1', 'second', () => Promise.resolve('later'))).toBe('later')
})
