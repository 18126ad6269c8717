import { describe, expect, test } from 'vitest'
import { guard } from './guard.ts'
import { routes } from './routes.ts'
import type { Path } from './routes.ts'

const everywhere = Object.keys(routes) as Path[]

const broken = () => {
  throw new Error('storage is forbidden')
}

describe('the guard', () => {
  test.each(everywhere)('without a token %s leads home', (path) => {
    expect(guard(path, () => '')).toBe('/index')
  })

  test.each(everywhere)('with a token %s is open', (path) => {
    expect(guard(path, () => 'token')).toBe(path)
  })

  test('an error inside the check is ignored and the navigation proceeds', () => {
    expect(guard('/order', broken)).toBe('/order')
  })
})
