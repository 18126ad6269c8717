import { expect, test } from 'vitest'
import { startDatabasePool } from '../run/databases.ts'
import { runCrowd } from './crowd.ts'

test('beside a crowd of a thousand free accounts what is wanted once is done once, what fits is paid in time, and who has nothing costs nothing', async () => {
  await using pool = await startDatabasePool()
  const { findings, counts } = await runCrowd(pool, 1)
  expect(findings).toEqual([])
  // A crowd that does nothing has no findings, either.
  const acts = [
    'askMany',
    'askLarge',
    'takeBack',
    'payDust',
    'order',
    'announce',
    'circle',
    'giveUp',
    'outrun',
    'standInFront',
  ]
  const done = ['withdraw', 'takeBack', 'order', 'deposit', 'transfer', 'exchange'].map((name) => `${name} done`)
  for (const name of [...acts.map((act) => `crowd ${act}`), ...done, 'fits', 'attested', 'dust sums'])
    expect([name, counts[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 1)])
})
