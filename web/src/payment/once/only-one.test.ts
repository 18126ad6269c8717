import { expect, test } from 'vitest'
import type { App } from '../../session/app-context.tsx'
import { onlyOne, untilNone } from './only-one.ts'

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

test('what a tap starts while the work before it is ending waits for that, and is not dropped', async () => {
  const app = {} as App
  const { promise, reject } = Promise.withResolvers<string>()
  const first = onlyOne(app, 'DEP1', 'second', () => promise)
  const done: string[] = []
  const again = async () => {
    await untilNone(app, 'DEP1')
    done.push(await onlyOne(app, 'DEP1', 'second', () => Promise.resolve('again')))
  }
  const taps = [again(), again()]
  expect(done).toStrictEqual([])
  reject(new Error('offline'))
  await expect(first).rejects.toThrow('offline')
  await Promise.all(taps)
  expect(done.toSorted()).toStrictEqual(['again', 'second'])
})
