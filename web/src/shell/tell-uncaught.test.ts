import { expect, test } from 'vitest'
import { ApiError, TransportError } from '@candela/client/errors'
import { tellUncaught } from './tell-uncaught.ts'

const ORIGIN = 'https://app.example'

function page() {
  const listeners = new Map<string, (event: object) => void>()
  const told: string[] = []
  let now = 0
  tellUncaught(
    {
      location: { origin: ORIGIN },
      addEventListener: (kind: string, listener: (event: never) => void) => listeners.set(kind, listener as never),
    },
    (detail) => told.push(detail),
    () => now,
  )
  return {
    told,
    fails: (error: unknown) => listeners.get('error')?.({ error }),
    rejects: (reason: unknown) => listeners.get('unhandledrejection')?.({ reason }),
    passTime: (ms: number) => (now += ms),
  }
}

const from = (stack: string, error: Error = new TypeError('x is undefined')) => Object.assign(error, { stack })
const ours = (error?: Error) => from(`at ${ORIGIN}/assets/index-1a.js:1:2`, error)

test('an error of the app that nothing has handled is told, and no more for half a minute', () => {
  const { told, fails, rejects, passTime } = page()
  fails(ours())
  rejects(ours())
  expect(told).toEqual(['TypeError: x is undefined'])
  passTime(30_000)
  rejects(ours(new Error('y'.repeat(500))))
  expect(told[1]).toBe(`Error: ${'y'.repeat(113)}`)
})

test('what is not the app’s, what was given up, and what has been said already is not told', () => {
  const { told, fails, rejects } = page()
  fails(from('at chrome-extension://abc/inpage.js:1:2'))
  fails(null)
  rejects('refused')
  rejects(ours(new ApiError(1001, 'no')))
  rejects(ours(new TransportError('connect', 'no')))
  rejects(ours(Object.assign(new Error('gone'), { name: 'AbortError' })))
  expect(told).toEqual([])
  fails(ours())
  expect(told).toHaveLength(1)
})
