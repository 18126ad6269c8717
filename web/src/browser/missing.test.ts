import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { classicScript } from '../../vite-plugins.ts'

/** It has all that `missing.ts` adds. */
const source = await classicScript('src/browser/missing-for-exit.ts')

const methods = [
  'Array.prototype.at',
  'String.prototype.at',
  'Object.getPrototypeOf(Uint8Array.prototype).at',
  'Array.prototype.toSorted',
  'Array.prototype.toReversed',
  'Object.hasOwn',
  'Promise.withResolvers',
  'AbortSignal.prototype.throwIfAborted',
  'Array.prototype.flatMap',
  'String.prototype.replaceAll',
  'Object.fromEntries',
  'Promise.allSettled',
]

const getRandomValues = (bytes: Uint8Array) => bytes.map((_, nth) => 17 * (15 - nth))

/** A browser without any of them, in which the file was loaded, and one as it is today. */
function browsers(): { old: (code: string) => unknown; today: (code: string) => unknown } {
  const [old, today] = [0, 1].map(() => {
    class AbortSignal {
      aborted = false
      reason = new Error('left')
      throwIfAborted() {
        if (this.aborted) throw this.reason
      }
    }
    const context = createContext({ AbortSignal, crypto: { getRandomValues }, DOMException })
    runInContext('var self = this', context)
    return context
  })
  runInContext(methods.map((method) => `delete ${method};`).join(''), old!)
  for (const method of methods) expect([method, runInContext(`${method} === undefined`, old!)]).toEqual([method, true])
  runInContext(source, old!)
  return { old: (code) => runInContext(code, old!), today: (code) => runInContext(code, today!) }
}

test.each([
  '[1, 2, 3].at(-1)',
  '[1, 2, 3].at(0)',
  '[1, 2, 3].at(3)',
  '[1, 2, 3].at(-4)',
  '[1, 2, 3].at(NaN)',
  '[1, 2, 3].at(1.9)',
  '"abc".at(-2)',
  'new Uint8Array([7, 8]).at(-1)',
  '(() => { const of = [3, 1, 2]; return [of.toSorted(), of.toSorted((a, b) => b - a), of.toReversed(), of] })()',
  '[3, , 1].toSorted()',
  'Object.hasOwn({ a: 1 }, "a")',
  'Object.hasOwn({}, "toString")',
  '[1, 2].flatMap((item, nth) => (nth === 0 ? [item, [item]] : item))',
  '"a.b.c".replaceAll(".", "-")',
  '"aXbx".replaceAll(/x/gi, "-")',
  'Object.fromEntries(new Map([["a", 1]]))',
  'Object.keys([]).concat(Object.keys(Array.prototype))',
  '(() => { const names = []; for (const name in [1]) names.push(name); return names })()',
  '(() => { const signal = new AbortSignal(); signal.throwIfAborted(); signal.aborted = true; try { signal.throwIfAborted() } catch (error) { return error.message } })()',
])('does as today’s browsers do: %s', (code) => {
  const { old, today } = browsers()
  expect(JSON.stringify(old(code))).toBe(JSON.stringify(today(code)))
})

test('promises of which some fail', async () => {
  const { old, today } = browsers()
  const code = 'Promise.allSettled([1, Promise.reject(2)])'
  expect(JSON.stringify(await old(code))).toBe(JSON.stringify(await today(code)))
})

test('a promise from outside, and an id in its form', async () => {
  const { old } = browsers()
  expect(
    await old('(() => { const { promise, resolve } = Promise.withResolvers(); resolve(5); return promise })()'),
  ).toBe(5)
  await expect(
    old('(() => { const { promise, reject } = Promise.withResolvers(); reject("no"); return promise })()'),
  ).rejects.toBe('no')
  expect(old('crypto.randomUUID()')).toBe('ffeeddcc-bbaa-4988-b766-554433221100')
})

test('what is there is left as it is', () => {
  const { today } = browsers()
  today('Array.prototype.toSorted.isOwn = true')
  today(source)
  expect(today('[].toSorted.isOwn')).toBe(true)
})
