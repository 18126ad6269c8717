/** Every call of a member and of a visitor, as one person makes them one after the other. */
import { addDays } from '@candela/protocol/calendar'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { type CallInput, type Data, endpoints, type Key } from '@candela/protocol/endpoints'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import type { Clock } from '@candela/server/kernel/clock'
import type { Handlers, SessionContext } from '@candela/server/kernel/handler'
import { type IdSource, systemIds } from '@candela/server/kernel/ids'
import { withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { hashTerms, transferDomain } from '@candela/server/modules/transfer/hash-terms'
import { hexToBytes } from 'viem'
import { type Read, readsOf } from '../../../server/test/history/reads.ts'
import { serviceWithoutChain } from '../../../server/test/history/service.ts'
import { type Member, sign } from '../support/people.ts'
import { addPeople } from './people.ts'
import type { Size } from './size.ts'

const GATEWAY = `0x${'c'.repeat(40)}` as const
const PLENTY = 10n ** 15n * WHOLE_UNIT

/** Takes the time of one call. */
export type Take = <T>(name: string, call: () => Promise<T>) => Promise<T>

/** `isThere`: whether there is something to read; without it there always is. */
type OneRead = { name: string; call: () => Promise<unknown>; isThere?: () => boolean }

export type Callers = {
  /** The reads of a visitor, of a member with a hundred rows in every list, and of a borrower of the crowd. */
  reads: (take: Take) => Promise<void>
  /** All that one person does who has not done any of it. */
  commands: (take: Take, person: Member) => Promise<void>
  people: Member[]
}

/** JU at 2 USDT, HASH at a half; the pairs have taken as much as is owed for years. */
const fixed = () => ({
  JU: { average: 2n * WHOLE_UNIT, liquidity: PLENTY },
  HASH: { average: WHOLE_UNIT / 2n, liquidity: PLENTY },
})

/** @param count of people who will call */
export async function startCallers({ db, clock, owner }: Size, count: number): Promise<Callers> {
  const ids = systemIds(clock)
  const { handlers, contextOf } = serviceOf(db, clock)
  const people = await addPeople(db, ids, count + 1, clock.now())
  const rich = must(people.pop(), 'one more')
  const compared = { block_number: 100n, block_hash: '0x', at: clock.now(), paused: false, agrees: true }
  await db.insertInto('reconciliation').values(compared).execute()
  await handlers['POST finance/transferIn'](
    { amount: 10n ** 5n * WHOLE_UNIT, requestId: ids.uuid() },
    contextOf(rich.memberId),
  )
  const borrower = await db
    .selectFrom('loan')
    .innerJoin('member', 'member.id', 'loan.member_id')
    .select(['loan.member_id', 'loan_no', 'address'])
    .where('kind', '=', 'project')
    .orderBy('loan.id')
    .executeTakeFirstOrThrow()
  const members = [owner, { memberId: borrower.member_id, address: borrower.address }]
  const reads: OneRead[] = [
    ...members.flatMap((member, nth) =>
      readsOf(handlers, member, clock.now()).flatMap((read) =>
        pagesOf(read, contextOf(member.memberId), nth === 0 ? '' : ' of a borrower'),
      ),
    ),
    ...lendingReads(handlers, borrower.loan_no, contextOf(borrower.member_id)),
    ...publicReads(handlers, clock, contextOf(owner.memberId)),
  ]
  return {
    people,
    async reads(take) {
      for (const { name, call, isThere } of reads) if (isThere?.() ?? true) await take(name, call)
    },
    commands: (take, person) =>
      commandsOf({ handlers, ids, clock, take, person, to: rich, context: contextOf(person.memberId) }),
  }
}

const serviceOf = (db: Database, clock: Clock) => serviceWithoutChain(withFixedPrices(db, fixed, clock), clock)

/** The second page is asked for where the first one names it. Names are the same at each size. */
function pagesOf(read: Read, context: SessionContext, whose: string): OneRead[] {
  const name = read.name.replaceAll(/(requestId|since|before|to)=[^&]*/g, '$1') + whose
  let next: string | null = null
  const first = async () => {
    next = (await read.call(context)).nextCursor
  }
  const second = () => read.call(context, must(next, 'asked for where there is one'))
  return [
    { name, call: first },
    { name: `${name}, page 2`, call: second, isThere: () => next !== null },
  ]
}

type AnyHandler = (input: object, context: SessionContext) => Promise<unknown>

const called =
  (handlers: Handlers<Key>, context: SessionContext) =>
  <K extends Key>(key: K, input: CallInput<K>): OneRead => {
    const parsed = endpoints[key].input.parse(input) as object
    return { name: key, call: () => (handlers[key] as unknown as AnyHandler)(parsed, context) }
  }

function lendingReads(handlers: Handlers<Key>, loanNo: string, context: SessionContext) {
  const read = called(handlers, context)
  const asset: CollateralAsset = 'JU'
  return [
    read('GET home/overview', {}),
    read('GET project/list', {}),
    read('GET project/detail', { projectNo: 'BENCHPROJECT' }),
    read('GET lending/orders', {}),
    read('GET lending/orders', { open: '1' }),
    read('GET lending/detail', { loanNo }),
    read('GET lending/entries', { loanNo }),
    read('GET lending/quote', { projectNo: 'BENCHPROJECT', amount: '100', days: '30' }),
    read('GET lending/payoff', { loanNo }),
    read('GET lending/schedule', { loanNo, count: '3' }),
    read('GET lending/transaction', { loanNo, amount: '10' }),
    read('GET lever/options', {}),
    read('GET lever/quote', { asset, margin: '100', ratio: '2', days: '30' }),
  ]
}

function publicReads(handlers: Handlers<Key>, clock: Clock, context: SessionContext) {
  const read = called(handlers, context)
  // The last day that is over.
  const day = addDays(clock.now().toISOString().slice(0, 10), -1)
  return [
    read('GET home/public', {}),
    read('GET power/plans', {}),
    read('GET solvency/latest', {}),
    read('GET solvency/platform', {}),
    read('GET solvency/now', {}),
    read('GET solvency/day', { day }),
    read('POST auth/isRegister', { address: `0x${'1'.repeat(40)}` }),
  ]
}

type Acting = {
  handlers: Handlers<Key>
  ids: IdSource
  clock: Clock
  take: Take
  person: Member
  to: Member
  context: SessionContext
}

async function commandsOf({ handlers, ids, clock, take, person, to, context }: Acting): Promise<void> {
  const act = <K extends Key>(key: K, input: CallInput<K>): Promise<Data<K>> => {
    const { call } = called(handlers, context)(key, input)
    return take(key, call) as Promise<Data<K>>
  }
  const request = () => ({ requestId: ids.uuid() })

  await act('POST deposit/getOrder', { asset: 'USDT', amount: '10', ...request() })
  const plans = await handlers['GET power/plans']({}, context)
  await act('POST power/getOrder', {
    planId: must(plans.items[0], 'a plan').id,
    units: '1',
    asset: 'USDT',
    ...request(),
  })
  const deadline = new Date(clock.now().getTime() + 5 * 60_000)
  const terms = {
    from: person.address,
    to: to.address,
    asset: 'USDT' as const,
    amount: WHOLE_UNIT,
    ...request(),
    deadline,
  }
  const signature = sign(person, hexToBytes(hashTerms(transferDomain(GATEWAY), terms)))
  await act('POST transfer/index', { ...terms, amount: '1', deadline: deadline.toISOString(), signature })
  const { quoteNo } = await act('POST exchange/quote', { from: 'USDT', to: 'JU', amount: '10' })
  await act('POST exchange/index', { quoteNo, minReceived: '1', ...request() })
  await act('POST withdraw/apply', { asset: 'USDT', amount: '10', ...request() })
  await act('POST finance/transferIn', { amount: '100', ...request() })
  await act('POST finance/transferOut', { amount: '10', ...request() })
  const borrowing = { projectNo: 'BENCHPROJECT', amount: '100', collateral: '1000', days: '30' as const, ...request() }
  const { loanNo } = (await act('POST lending/borrow', borrowing)).loan
  await act('POST lending/addCollateral', { loanNo, amount: '1', ...request() })
  await act('POST lending/releaseCollateral', { loanNo, amount: '1', ...request() })
  await act('POST lending/installment', { loanNo, count: '3', ...request() })
  await act('POST lending/repay', { loanNo, mode: 'amount', amount: '50', ...request() })
  const opening = {
    asset: 'JU' as const,
    margin: '100',
    ratio: '2',
    days: '30' as const,
    minBought: '1',
    acceptWarning: '1' as const,
    ...request(),
  }
  const position = { loanNo: (await act('POST lever/open', opening)).loan.loanNo }
  await act('GET lever/closeQuote', { ...position, percent: '50' })
  await act('POST lever/addMargin', { ...position, amount: '1', ...request() })
  await act('POST lever/close', { ...position, percent: '100', minProceeds: '1', ...request() })
  await act('POST notice/read', { all: '1' })
  await act('POST command/giveUp', request())
}
