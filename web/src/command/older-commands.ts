import { minReceivedFor } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { type ListItem, readCommands, readFields, readList, writeList } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'

/** Takes over what older versions of the app have kept of commands without an answer, each in a form of its own. */
export function adoptOlderCommands(storage: DeviceStorage): void {
  const adopted: ListItem<'pendingCommands'>[] = []
  const account = storage.get('address')?.toLowerCase() ?? ''
  for (const { what, requestId, at } of readList(storage, 'requests')) {
    const [, key = '', json = ''] = /^(POST \S+) (.*)$/.exec(what) ?? []
    const input = readFields(json)
    if (input !== null && account !== '') adopted.push({ account, key, about: input, input, requestId, at })
  }
  for (const [owner, { toUid, input }] of Object.entries(readCommands(storage, 'transfer'))) {
    const { requestId, to, asset, amount, deadline, signature } = input
    const about = { to, toUid, asset, amount }
    const fields = { to, asset, amount, deadline, signature }
    adopted.push({ account: owner, key: 'POST transfer/index', about, input: fields, requestId, at: 0 })
  }
  for (const [owner, { quote, requestId }] of Object.entries(readCommands(storage, 'exchange'))) {
    const { quoteNo, from, to, amountIn, amountOut } = quote
    const least = minReceivedFor(toBaseUnits(amountOut))
    const fields = { quoteNo, minReceived: fromBaseUnits(least > 0n ? least : 1n) }
    const about = { from, to, amount: amountIn }
    adopted.push({ account: owner, key: 'POST exchange/index', about, input: fields, requestId, at: 0 })
  }
  if (adopted.length === 0) return
  writeList(storage, 'pendingCommands', [...adopted, ...readList(storage, 'pendingCommands')])
  for (const key of ['requests', 'transfer', 'exchange'] as const) storage.set(key, null)
}
