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
    for (const path of everywhere) expect(guard(path, broken)).toBe(path)
  })

  test('a route with `auth` refuses where the check fails; today no route has it', () => {
    expect(everywhere.filter((path) => routes[path].auth)).toEqual([])
    expect(guard('/order', broken, { ...routes, '/order': { auth: true } })).toBe('/index')
    expect(guard('/mine', broken, { ...routes, '/order': { auth: true } })).toBe('/mine')
    expect(guard('/order', () => 'token', { ...routes, '/order': { auth: true } })).toBe('/order')
  })
})
