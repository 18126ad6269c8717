import { afterEach, expect, test, vi } from 'vitest'
import { needs, needsPackages } from './needs.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a test that lacks a package is skipped and says which, and fails in a run that has to be complete', () => {
  vi.stubEnv('CANDELA_TEST_ALL', undefined)
  expect(needsPackages(['haproxy', 'perl'])).toEqual({ skip: true, meta: { needs: ['haproxy', 'perl'] } })
  vi.stubEnv('CANDELA_TEST_ALL', '1')
  expect(() => needsPackages(['haproxy', 'perl'])).toThrow('not installed: haproxy, perl')
  for (const all of [undefined, '1']) {
    vi.stubEnv('CANDELA_TEST_ALL', all)
    expect(needsPackages([])).toEqual({})
    expect(needs()).toEqual({})
  }
})
