import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test, vi } from 'vitest'
import { createPublicFigures, type FigureSources } from './public-figures.ts'

const at = (time_ms: number) => new Date(time_ms)
const lastDay = { day: '2026-03-01', revenue: 10n * WHOLE_UNIT, paid: 9n * WHOLE_UNIT, totalUnits: 4n }

const closeOf = (day: string, assets: string) => ({ day, assets, shares: '10' })
const fundRate = {
  fundRate: '0.031',
  fundRateCloses: { first: closeOf('2026-02-22', '10'), last: closeOf('2026-03-01', '10.006') },
}
const solvency = { ageSeconds: 5, maxAgeSeconds: 600, lowest: null, assets: [] }

function sources(readLastDay: FigureSources['readLastDay'] = async () => lastDay) {
  return {
    readTotalPower: async () => ({ units: 4, unit: 'T' }),
    countMembers: vi.fn<FigureSources['countMembers']>(async () => 7),
    readLastDay,
    readFundRate: async () => fundRate,
    isChainDelayed: async (now: Date) => now.getTime() >= 60_000,
    readSolvency: async () => solvency,
  }
}

test('says what there is, and what one unit was really paid on the last closed day', async () => {
  expect(await createPublicFigures(sources())(at(0))).toEqual({
    totalUnits: 4,
    unit: 'T',
    accounts: 7,
    yesterday: { day: '2026-03-01', revenue: '10', outputPerUnit: '2.25' },
    ...fundRate,
    chainDelayed: false,
    solvency,
  })
})

test('no day is closed yet, or nobody had power on it', async () => {
  const none = await createPublicFigures(sources(async () => null))(at(0))
  expect(none.yesterday).toBeNull()
  const idle = await createPublicFigures(sources(async () => ({ ...lastDay, paid: 0n, totalUnits: 0n })))(at(0))
  expect(idle.yesterday).toEqual({ day: '2026-03-01', revenue: '10', outputPerUnit: '0' })
})

test('reads once in three seconds, however many ask, also when the clock goes back', async () => {
  const from = sources()
  const read = createPublicFigures(from)
  await Promise.all([read(at(10_000)), read(at(10_000)), read(at(12_999))])
  expect(from.countMembers).toHaveBeenCalledTimes(1)
  await read(at(13_000))
  expect(from.countMembers).toHaveBeenCalledTimes(2)
  await read(at(5_000))
  expect(from.countMembers).toHaveBeenCalledTimes(3)
})

test('says that the chain is delayed while it is', async () => {
  const read = createPublicFigures(sources())
  expect((await read(at(59_000))).chainDelayed).toBe(false)
  expect((await read(at(70_000))).chainDelayed).toBe(true)
})

test('a failure is told to whoever asked, and not kept', async () => {
  const from = sources()
  from.countMembers.mockRejectedValueOnce(new Error('no database'))
  const read = createPublicFigures(from)
  const both = await Promise.allSettled([read(at(0)), read(at(0))])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await read(at(0))).accounts).toBe(7)
})
