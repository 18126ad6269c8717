/**
 * This file adds what the oldest browsers of the app (`web/browsers.ts`) do not have, and the built files call. It is loaded before the
 * app, and only where something of it is missing (`isMissing`). `tests/rules/browsers.test.ts` finds what the list lacks.
 */

import { addMissing, type Addition } from './add-missing.ts'

function at<T>(this: ArrayLike<T>, index: number): T | undefined {
  const place = Math.trunc(index) || 0
  return this[place < 0 ? this.length + place : place]
}

const typedArray = Object.getPrototypeOf(Uint8Array) as { prototype: object }

const additions: readonly Addition[] = [
  ...[Array.prototype, String.prototype, typedArray.prototype].map((to) => ({ to, name: 'at', value: at })),
  {
    to: Array.prototype,
    name: 'toSorted',
    value: function toSorted<T>(this: ArrayLike<T>, compare?: (one: T, other: T) => number): T[] {
      // oxlint-disable-next-line unicorn/no-array-sort -- this is what makes the other
      return Array.from(this).sort(compare)
    },
  },
  {
    to: Array.prototype,
    name: 'toReversed',
    value: function toReversed<T>(this: ArrayLike<T>): T[] {
      // oxlint-disable-next-line unicorn/no-array-reverse -- this is what makes the other
      return Array.from(this).reverse()
    },
  },
  {
    to: Object,
    name: 'hasOwn',
    value: (of: object, name: PropertyKey) => Object.prototype.hasOwnProperty.call(of, name),
  },
  {
    to: Promise,
    name: 'withResolvers',
    value: <T>() => {
      let resolve: ((value: T) => void) | undefined
      let reject: ((reason: unknown) => void) | undefined
      const promise = new Promise<T>((resolveIt, rejectIt) => {
        resolve = resolveIt
        reject = rejectIt
      })
      return { promise, resolve, reject }
    },
  },
  {
    to: AbortSignal.prototype,
    name: 'throwIfAborted',
    value: function throwIfAborted(this: AbortSignal & { reason?: unknown }): void {
      if (this.aborted) throw this.reason ?? new DOMException('Given up', 'AbortError')
    },
  },
  {
    to: crypto,
    name: 'randomUUID',
    value: () => {
      const bytes = crypto.getRandomValues(new Uint8Array(16))
      // The version and the variant of RFC 9562, section 5.4.
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  },
]

addMissing(additions)
