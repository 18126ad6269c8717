import { expect, test } from 'vitest'
import { POPOVER_OFFSET, popoverPlace } from './popover-place.ts'

const screen = { width: 1_000, height: 700 }
const popover = { width: 300, height: 120 }

test('eight pixels below its anchor, at the same left edge', () => {
  expect(POPOVER_OFFSET).toEqual([0, 8])
  expect(popoverPlace({ left: 200, top: 100, bottom: 140 }, popover, screen)).toEqual({ left: 200, top: 148 })
})

test('eight pixels above it where there is no room below', () => {
  expect(popoverPlace({ left: 200, top: 600, bottom: 640 }, popover, screen)).toEqual({ left: 200, top: 472 })
})

test('never past an edge of the screen', () => {
  expect(popoverPlace({ left: 900, top: 100, bottom: 140 }, popover, screen).left).toBe(692)
  expect(popoverPlace({ left: -50, top: 100, bottom: 140 }, popover, screen).left).toBe(8)
})
