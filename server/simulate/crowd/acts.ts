import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { dustSteps } from '@candela/protocol/money/dust'
import type { Hex } from 'viem'
import type { ServerProcess } from '../run/server-process.ts'
import { attempt, WHOLE } from '../run/simulation.ts'
import { send } from '../workload/chain-actions.ts'
import { nextRequestId } from '../workload/next-request-id.ts'
import { runCommand } from '../workload/run-command.ts'
import type { Crowd, Person, Intent } from './open-crowd.ts'

/** The acts of the honest and of the crowd. Of every command the request may be late and the answer lost. */

const DEADLINE_MS = 120_000

type Run = (process: ServerProcess, requestId: string) => Promise<unknown>

async function intend(crowd: Crowd, name: string, { memberId }: Person, run: Run): Promise<void> {
  const { simulation, intents } = crowd
  const intent: Intent = { name, memberId, ids: new Set() }
  intents.push(intent)
  count(crowd, name)
  const sent = async (process: ServerProcess, requestId: string) => {
    intent.ids.add(requestId)
    await run(process, requestId)
    return () => undefined
  }
  const command = { name, memberId, requestId: nextRequestId(simulation), run: sent }
  await runCommand(simulation, command, simulation.random.chance(0.15))
}

const withdraw = (crowd: Crowd, person: Person, asset: AssetCode, amount: bigint) =>
  intend(crowd, 'withdraw', person, (process, requestId) =>
    process.withdraw({ asset, amount, requestId }, person.memberId),
  )

/** Reads what a person has queued, the oldest first. */
async function queuedOf({ simulation }: Crowd, people: readonly Person[]) {
  const rows = await simulation.db
    .selectFrom('withdrawal')
    .select(['withdrawal_no', 'member_id'])
    .where('state', 'in', ['queued', 'review'])
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => {
    const person = people.find(({ memberId }) => memberId === row.member_id)
    return person === undefined ? [] : [{ person, withdrawalNo: row.withdrawal_no }]
  })
}

async function takeBack(crowd: Crowd, people: readonly Person[]): Promise<void> {
  const queued = await queuedOf(crowd, people)
  if (queued.length === 0) return
  const { person, withdrawalNo } = crowd.simulation.random.pick(queued)
  await intend(crowd, 'takeBack', person, ({ handlers, contextOf }, requestId) =>
    handlers['POST withdraw/cancel']({ withdrawalNo, requestId }, contextOf(person.memberId)),
  )
}

async function transfer(crowd: Crowd, from: Person, to: Person, asset: AssetCode, amount: bigint): Promise<void> {
  const { simulation } = crowd
  const deadline = new Date(simulation.clock.now().getTime() + DEADLINE_MS)
  await intend(crowd, 'transfer', from, async ({ handlers, contextOf }, requestId) => {
    const terms = { from: from.address, to: to.address, asset, amount, requestId, deadline }
    const signature = await from.signer.signTypedData(transferTypedData(terms, simulation.contracts.gateway))
    const input = { to: to.address, asset, amount, requestId, deadline, signature }
    return handlers['POST transfer/index'](input, contextOf(from.memberId))
  })
}

async function exchange(crowd: Crowd, person: Person): Promise<void> {
  const { random } = crowd.simulation
  const [from, to] = random.pick([
    ['JU', 'USDT'],
    ['USDT', 'HASH'],
    ['HASH', 'USDT'],
  ] as const)
  const amount = BigInt(1 + random.below(5)) * WHOLE
  let quoteNo: string | undefined
  // The first attempt gets a quote; a repetition sends the same.
  await intend(crowd, 'exchange', person, async ({ handlers, contextOf }, requestId) => {
    const context = contextOf(person.memberId)
    quoteNo ??= (await handlers['POST exchange/quote']({ from, to, amount }, context)).quoteNo
    return handlers['POST exchange/index']({ quoteNo, minReceived: 1n, requestId }, context)
  })
}

const order = (crowd: Crowd, person: Person) =>
  intend(crowd, 'order', person, (process, requestId) =>
    process.order({ planId: Number(crowd.simulation.planId), asset: 'USDT', requestId }, person.memberId),
  )

const announce = (crowd: Crowd, person: Person) =>
  intend(crowd, 'deposit', person, (process, requestId) =>
    process.deposit({ asset: 'USDT', amount: 7n * WHOLE, requestId }, person.memberId),
  )

/** The honest ask for one withdrawal at a time, which fits into the cap unless it is used up. */
export async function honestAct(crowd: Crowd): Promise<void> {
  const { simulation, honest } = crowd
  const { random } = simulation
  const person = random.pick(honest)
  const asset = random.pick(assetCodes)
  const amount = BigInt(5 + random.below(40)) * WHOLE + BigInt(random.below(1_000))
  switch (random.weighted({ withdraw: 6, takeBack: 1, transfer: 2, exchange: 2, order: 1, announce: 1 })) {
    case 'withdraw':
      return (await queuedOf(crowd, [person])).length === 0 ? withdraw(crowd, person, asset, amount) : undefined
    case 'takeBack':
      return takeBack(crowd, honest)
    case 'transfer':
      return transfer(crowd, person, random.pick(honest.filter((one) => one !== person)), asset, WHOLE)
    case 'exchange':
      return exchange(crowd, person)
    case 'order':
      return order(crowd, person)
    case 'announce':
      return announce(crowd, person)
  }
}

/** An honest member asks, and then more of the crowd ask for as much of the same than are signed in one round. */
export async function outrun(crowd: Crowd): Promise<void> {
  const { simulation, active, large } = crowd
  const asset = simulation.random.pick(assetCodes)
  if (!(await honestlyWithdraw(crowd, asset, 5n * WHOLE))) return
  for (const person of active.filter((one) => !large.includes(one)).slice(0, OUTRUN)) {
    await withdraw(crowd, person, asset, 5n * WHOLE)
  }
  count(crowd, 'crowd outrun')
}
/** A round signs 16. */
const OUTRUN = 20

/** One of the crowd asks for nearly the whole cap, which does not fit, and an honest member asks behind it. */
export async function standInFront(crowd: Crowd): Promise<void> {
  const { simulation, large } = crowd
  const asset = simulation.random.pick(assetCodes)
  await withdraw(crowd, simulation.random.pick(large), asset, 290n * WHOLE)
  if (await honestlyWithdraw(crowd, asset, 6n * WHOLE)) count(crowd, 'crowd standInFront')
}

/** One who waits for no other withdrawal asks; false when all wait. */
async function honestlyWithdraw(crowd: Crowd, asset: AssetCode, amount: bigint): Promise<boolean> {
  const queued = await queuedOf(crowd, crowd.honest)
  const free = crowd.honest.filter((one) => !queued.some(({ person }) => person === one))
  if (free.length === 0) return false
  await withdraw(crowd, crowd.simulation.random.pick(free), asset, amount)
  return true
}

const count = ({ counts }: Crowd, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1)

/** Half of all accounts together are as bad as one that does everything. */
export async function crowdAct(crowd: Crowd): Promise<void> {
  const { simulation, active, large, honest } = crowd
  const { random } = simulation
  const person = random.pick(active)
  const name = random.weighted({
    askMany: 6,
    askLarge: 2,
    takeBack: 3,
    payDust: 2,
    order: 2,
    announce: 2,
    circle: 2,
    giveUp: 1,
  })
  count(crowd, `crowd ${name}`)
  switch (name) {
    case 'askMany':
      for (let left = 3 + random.below(5); left > 0; left--)
        await withdraw(crowd, random.pick(active), random.pick(assetCodes), 5n * WHOLE)
      return
    case 'askLarge':
      return withdraw(crowd, random.pick(large), random.pick(assetCodes), 290n * WHOLE)
    case 'takeBack':
      return takeBack(crowd, active)
    case 'payDust':
      return payDust(crowd, random.pick(honest).address)
    case 'order':
      return order(crowd, person)
    case 'announce':
      return announce(crowd, person)
    case 'circle':
      return transfer(crowd, person, random.pick(active.filter((one) => one !== person)), 'USDT', 10n * WHOLE)
    case 'giveUp':
      return giveUpAny(crowd, person)
  }
}

/** Some payments of less than a step, each for the same victim. */
function payDust(crowd: Crowd, customer: Hex): void {
  const { random } = crowd.simulation
  const asset = random.pick(assetCodes)
  for (let left = 2 + random.below(6); left > 0; left--) sendDust(crowd, customer, asset)
}

/** One payment for each of many who have nothing else. */
export function spreadDust(crowd: Crowd): void {
  for (const customer of crowd.dusted) sendDust(crowd, customer, 'USDT')
}

/** The payer has no account. */
function sendDust({ simulation }: Crowd, customer: Hex, asset: AssetCode): void {
  const { random, strangers } = simulation
  const amount = BigInt(1 + random.below(Number(dustSteps[asset] / 10n ** 12n)))
  send(simulation, strangers[0], { do: 'recharge', key: 'deposit', asset, amount, customer, reference: '' })
}

/** An id under which nothing was ever sent: it costs its member one of those that it may give up. */
async function giveUpAny({ simulation }: Crowd, { memberId }: Person): Promise<void> {
  const [process] = simulation.processes
  if (process === undefined) return
  const input = { requestId: nextRequestId(simulation) }
  await attempt(simulation, process, () => process.handlers['POST command/giveUp'](input, process.contextOf(memberId)))
}
