import { expect, test } from 'vitest'
import type { Faults } from './described/json-schemas.ts'
import { openApiDocument } from './openapi.ts'

const faults: Faults = { missing: [], unused: [] }
const document = JSON.parse(JSON.stringify(openApiDocument(faults))) as Record<string, unknown>

/** Every property of an object's schema in the document, with its place. */
function propertiesIn(value: unknown, at: string): { at: string; property: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === 'properties' && typeof inner === 'object' && inner !== null && !at.endsWith('properties')
      ? Object.entries(inner).map(([key, property]) => ({
          at: `${at}.${key}`,
          property: property as Record<string, unknown>,
        }))
      : []),
    ...propertiesIn(inner, `${at}.${name}`),
  ])
}

test('every property says what it is, and no text is of a property that does not exist', () => {
  expect(faults).toEqual({ missing: [], unused: [] })
  const properties = propertiesIn(document, '')
  expect(properties.length).toBeGreaterThan(700)
  expect(properties.filter(({ property }) => typeof property['description'] !== 'string').map(({ at }) => at)).toEqual(
    [],
  )
  expect(properties.filter(({ property }) => String(property['description']).length < 2).map(({ at }) => at)).toEqual(
    [],
  )
})
