import { endpoints } from '@candela/protocol/endpoints'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import { expect, test } from 'vitest'
import { filterInput, groupNames, groups, periods } from './filter.ts'

test('every kind of posting is in exactly one group', () => {
  expect(Object.values(groups).flat().toSorted()).toEqual(memberPostingKinds.toSorted())
})

test('every filter is one that the server takes', () => {
  const { input } = endpoints['GET statement/list']
  for (const group of groupNames)
    for (const asset of [null, 'JU', 'USDT', 'HASH'] as const)
      for (const period of periods) input.parse(filterInput({ group, asset, period }, new Date()))
})

test('seven days are today and the six before, from midnight', () => {
  const { since } = filterInput({ group: 'all', asset: null, period: 7 }, new Date(2026, 2, 8, 13, 30))
  expect(new Date(String(since))).toEqual(new Date(2026, 2, 2))
  expect(filterInput({ group: 'all', asset: null, period: null }, new Date())).toEqual({})
})
