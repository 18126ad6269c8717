import { expect, test } from 'vitest'
import { keptScreens, maxKept } from './kept-screens.ts'
import { type Path, routes } from './routes.ts'

const everywhere = Object.keys(routes) as Path[]
const visit = (paths: readonly Path[], max: number, table?: Parameters<typeof keptScreens>[3]) =>
  paths.reduce<readonly Path[]>((kept, path) => keptScreens(kept, path, max, table), [])

test('every route says that it is kept, and every one is', () => {
  expect(everywhere.filter((path) => !routes[path].keepAlive)).toEqual([])
  expect(visit(everywhere, maxKept(8)).toSorted()).toEqual(everywhere.toSorted())
  // Not every browser says how much memory there is.
  expect(visit(everywhere, maxKept(undefined)).toSorted()).toEqual(everywhere.toSorted())
})

test('a device with little memory keeps the last eight, the one in view first', () => {
  expect(visit(everywhere, maxKept(2))).toEqual(everywhere.slice(-8).toReversed())
  expect(visit(['/order', '/mine', '/order'], maxKept(0.5))).toEqual(['/order', '/mine'])
})

test('a route that says otherwise is gone when it is left', () => {
  const table = { ...routes, '/order': { keepAlive: false } }
  expect(visit(['/mine', '/order'], 20, table)).toEqual(['/order', '/mine'])
  expect(visit(['/mine', '/order', '/list'], 20, table)).toEqual(['/list', '/mine'])
})

test('the same screen again changes nothing', () => {
  const kept = visit(['/mine', '/order'], 20)
  expect(keptScreens(kept, '/order', 20)).toBe(kept)
})
