import { expect, test } from 'vitest'
import { percentOf, pricePlaces } from './price-places.ts'

test('a part of a whole is never outside of it', () => {
  expect([percentOf(1n, 3n), percentOf(0n, 3n), percentOf(4n, 3n), percentOf(-1n, 3n), percentOf(1n, 0n)]).toEqual([
    33.33, 0, 100, 0, 0,
  ])
})

test('prices stand in their order below the end of the axis', () => {
  const places = pricePlaces({ price: '1', safetyPrice: '0.8', liquidationPrice: '0.6' })
  expect(places).toEqual({ price: 86.95, safety: 69.56, clearing: 52.17 })
})

test('a price below its lines is still in the picture, and without a safety line both are one', () => {
  const places = pricePlaces({ price: '0.000001', safetyPrice: null, liquidationPrice: '0.6' })
  expect(places.price).toBeLessThan(places.clearing)
  expect(places.safety).toBe(places.clearing)
  expect(places.clearing).toBe(86.95)
})
