import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { assetCodes } from '@candela/protocol/money/assets'
import { type CallInput, type Endpoints, endpoints, type Key } from '@candela/protocol/endpoints'
import { billPeriods } from '@candela/protocol/lending/choices'
import { orderStates } from '@candela/protocol/endpoints/power'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import { DAY_MS } from '@candela/protocol/units'
import type { Handlers, SessionContext } from '@candela/server/kernel/handler'

type ReadKey = Extract<Key, `GET ${string}`>
type SessionRead = { [K in ReadKey]: Endpoints[K]['auth'] extends 'session' ? K : never }[ReadKey]

/** Every read that needs a session, with the inputs that it is measured with: each filter at least once. */
function inputsOf({ address }: { address: string }, now: Date): { [K in SessionRead]: readonly CallInput<K>[] } {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const filters = [
    ...memberPostingKinds.map((kinds) => ({ kinds })),
    ...assetCodes.map((asset) => ({ asset })),
    { account: 'held' as const },
    { account: 'available' as const, asset: 'USDT' as const, upTo: '100000' },
    { kinds: 'withdrawal-release,assigned', asset: 'USDT' as const },
    { since: daysAgo(3_000) },
    { before: daysAgo(0.05) },
    { since: daysAgo(3_000), before: daysAgo(2_000) },
    { kinds: 'deposit', since: daysAgo(0.04), before: daysAgo(0.03) },
  ]
  return {
    'GET auth/sessions': [{}],
    'GET user/info': [{}],
    'GET user/priceInfo': [{}],
    'GET user/priceHistory': [{ asset: 'JU', days: '30' }],
    'GET user/powerLog': [{}],
    'GET user/zhiList': [{}],
    'GET user/todayPerformanceRank': [{}],
    'GET user/minPerformanceRank': [{}],
    'GET user/incomeList': [{}, { type: 'output' }, { type: 'referral' }],
    'GET user/incomeDaily': [{ days: '30' }],
    'GET power/plans': [{}],
    // Needs a price, and reads nothing of the member's.
    'GET power/calc': [],
    'GET power/orderList': [{}, ...orderStates.map((state) => ({ state })), { orderNo: 'NOSUCHORDER' }],
    'GET deposit/dust': [{ asset: 'JU', day: daysAgo(1).slice(0, 10) }],
    'GET deposit/list': [{}, { depositNo: 'NOSUCHDEPOSIT' }],
    'GET withdraw/quote': [{ asset: 'USDT' }],
    'GET withdraw/list': [{}, { withdrawalNo: 'NOSUCHNUMBER' }],
    'GET transfer/recipient': [{ to: address }],
    'GET transfer/list': [{}, { limit: '100' }],
    'GET exchange/list': [{}],
    'GET command/outcome': [{ requestId: requestIdNamed('unknown', now) }],
    'GET notice/list': [{}, { limit: '100' }],
    'GET statement/list': [{}, { limit: '100' }, ...filters],
    'GET statement/csv': [{}, ...filters],
    'GET statement/period': [{ since: daysAgo(3_000), before: daysAgo(0.05) }],
    'GET finance/info': [{}],
    'GET finance/bills': [{}, { limit: '100' }, ...billPeriods.map((period) => ({ period }))],
    'GET solvency/owed': [{}],
    'GET solvency/proof': [{}],
    'GET home/overview': [],
    'GET project/list': [],
    'GET project/detail': [],
    'GET lending/orders': [],
    'GET lending/detail': [],
    'GET lending/entries': [],
    'GET lending/quote': [],
    'GET lending/payoff': [],
    'GET lending/schedule': [],
    'GET lending/transaction': [],
    'GET lever/options': [],
    'GET lever/quote': [],
    'GET lever/closeQuote': [],
  }
}

export type Read = {
  /** The endpoint with its input, and "page 2" where it reads on behind the first. */
  name: string
  /** @returns the rows that were answered, and how to read on */
  call: (context: SessionContext, cursor?: string) => Promise<{ rows: number; nextCursor: string | null }>
}

/** The reads by which a session may ask for what its member has. */
export function readsOf(handlers: Handlers<Key>, owner: { address: string }, now: Date): Read[] {
  return Object.entries(inputsOf(owner, now)).flatMap(([key, inputs]) =>
    inputs.map((input) => ({
      name: `${key} ${new URLSearchParams(input as Record<string, string>).toString()}`.trim(),
      call: async (context: SessionContext, cursor?: string) => {
        const fields = cursor === undefined ? input : { ...input, cursor }
        const handler = handlers[key as SessionRead] as (input: object, context: SessionContext) => Promise<object>
        return measureOf(await handler(endpoints[key as SessionRead].input.parse(fields), context))
      },
    })),
  )
}

function measureOf(data: object): { rows: number; nextCursor: string | null } {
  const { items, text, nextCursor } = data as { items?: unknown[]; text?: string; nextCursor?: string | null }
  const rows = items?.length ?? (text === undefined ? 1 : text.split('\r\n').length - 1)
  return { rows, nextCursor: nextCursor ?? null }
}
