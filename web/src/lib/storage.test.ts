import { describe, expect, test, vi } from 'vitest'
import { readCommands, readList } from './device-records.ts'
import { createDeviceStorage, memoryStorage, migrated } from './storage.ts'
import { forbidden } from './testing-storage.ts'

const ACCOUNT = '0x00000000000000000000000000000000000000aa'

/** As devices hold them that were used before versions were counted, byte for byte. */
const before = {
  token: '4f1c0a9be2',
  address: ACCOUNT,
  lang: 'en',
  wallet: 'io.metamask',
  signedOut: '1',
  requests:
    '[{"what":"POST withdraw/apply {\\"asset\\":\\"USDT\\",\\"amount\\":\\"5\\",\\"fee\\":\\"1\\"}","requestId":"00ff","at":1795000000000}]',
  sent: '[{"reference":"20261121ABCDEFGHJK","hash":"0x12","at":1795000000000}]',
  transfer: `{"${ACCOUNT}":{"toUid":"10002","input":{"to":"0x0000000000000000000000000000000000000002","asset":"USDT","amount":"12.5","requestId":"00aa","deadline":"2026-11-21T12:05:00.000Z","signature":"0x1234"}}}`,
  exchange: `{"${ACCOUNT}":{"quote":{"quoteNo":"20261121QQQQQQQQQQ","from":"JU","to":"USDT","amountIn":"10","rate":"2","fee":"0.06","amountOut":"19.94","feePpm":3000,"baseFeePpm":3000,"level":0,"discountPercent":0,"prices":{"from":{"asset":"JU","used":"2","side":"average","average":"2","spot":"2","windowSeconds":1800,"pair":"0x0000000000000000000000000000000000000003","blockNumber":77,"observedAt":"2026-11-21T12:00:00.000Z"},"to":{"asset":"USDT","used":"1","side":"unit","average":"1","spot":"1","windowSeconds":0,"pair":null,"blockNumber":null,"observedAt":null}},"createdAt":"2026-11-21T12:00:00.000Z","expiresAt":"2026-11-21T12:00:30.000Z"},"requestId":"00bb"}}`,
}

const deviceOf = (kept: Record<string, string>) => {
  const memory = new Map(Object.entries(kept))
  return { memory, storage: migrated(memoryStorage(memory)) }
}

describe('what a device kept before versions were counted', () => {
  test('is there as it was, but for the reason that has a name now', () => {
    const { memory } = deviceOf(before)
    expect(Object.fromEntries(memory)).toEqual({ ...before, signedOut: 'byHand', version: '1' })
  })

  test('is read whole', () => {
    const { storage } = deviceOf(before)
    expect(readList(storage, 'requests')).toEqual(JSON.parse(before.requests))
    expect(readList(storage, 'sent')).toEqual(JSON.parse(before.sent))
    expect(readCommands(storage, 'transfer')).toEqual(JSON.parse(before.transfer))
    expect(readCommands(storage, 'exchange')).toEqual(JSON.parse(before.exchange))
    expect(readList(storage, 'requests')).toHaveLength(1)
  })
})

test('what a newer version has kept is left alone', () => {
  const { memory } = deviceOf({ version: '2', signedOut: '1' })
  expect(Object.fromEntries(memory)).toEqual({ version: '2', signedOut: '1' })
})

test('one broken entry does not cost the others', () => {
  const { storage } = deviceOf({
    sent: '[null,{"reference":7},{"reference":"A","hash":"0x1","at":1}]',
    transfer: before.transfer.replace('{', '{"0xbb":{"toUid":"1"},'),
  })
  expect(readList(storage, 'sent')).toEqual([{ reference: 'A', hash: '0x1', at: 1 }])
  expect(Object.keys(readCommands(storage, 'transfer'))).toEqual([ACCOUNT])
})

test('a command keeps what this version does not know, because it is sent again word for word', () => {
  const { storage } = deviceOf({ transfer: before.transfer.replace('"toUid"', '"more":1,"toUid"') })
  expect(readCommands(storage, 'transfer')[ACCOUNT]).toHaveProperty('more', 1)
})

test('where storage is forbidden everything is kept as long as the page, and nothing fails', () => {
  const storage = migrated(createDeviceStorage(forbidden))
  expect(storage.get('token')).toBeNull()
  expect(readList(storage, 'sent')).toEqual([])
  storage.set('token', 'x')
  expect(storage.get('token')).toBe('x')
  storage.set('token', null)
  expect(storage.get('token')).toBeNull()
})

test('a device that is full keeps for the page what it does not take, and takes it again when there is room', () => {
  const memory = new Map<string, string>([['pendingCommands', 'old']])
  let isFull = true
  const storage = createDeviceStorage({
    getItem: (key) => memory.get(key) ?? null,
    setItem(key, value) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      memory.set(key, value)
    },
    removeItem: (key) => void memory.delete(key),
  })
  storage.set('pendingCommands', 'new')
  expect([storage.get('pendingCommands'), memory.get('pendingCommands')]).toEqual(['new', 'old'])
  isFull = false
  storage.set('pendingCommands', 'newer')
  expect([storage.get('pendingCommands'), memory.get('pendingCommands')]).toEqual(['newer', 'newer'])
  isFull = true
  storage.set('pendingCommands', 'newest')
  storage.set('pendingCommands', null)
  expect([storage.get('pendingCommands'), memory.has('pendingCommands')]).toEqual([null, false])
})

test.each([
  ['is null, as where an app has not switched it on', { localStorage: null }],
  [
    'may not be looked at',
    {
      get localStorage(): never {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    },
  ],
])('a storage that %s: what is kept is kept as long as the page', async (_how, window) => {
  vi.resetModules()
  vi.stubGlobal('window', window)
  const { openStorage } = await import('./storage.ts')
  openStorage().set('token', 'T')
  expect([openStorage().get('token'), openStorage().get('lang')]).toEqual(['T', null])
  vi.unstubAllGlobals()
})
