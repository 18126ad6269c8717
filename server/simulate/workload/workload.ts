import { assetCodes } from '@candela/protocol/assets'
import { RpcError } from '@candela/server/chain/client'
import { resumeCrediting } from '@candela/server/chain/start-following'
import { transaction } from '@candela/server/db/open'
import { reasonOf } from '@candela/server/kernel/errors'
import type { Hex } from 'viem'
import { branch, cancel, deep, drop, GWEI, mine, reorganise, send } from './chain-actions.ts'
import type { Call } from '../model/contract-model.ts'
import { calm, forecast, weathers } from '../faults/fault-profile.ts'
import { type ServerProcess, type Work, works } from '../run/server-process.ts'
import { attempt, broken, type Command, restart, WHOLE, type World } from '../run/simulation.ts'

/** What may happen next, and how often. */
const happenings = {
  pay: 11,
  ask: 10,
  withdraw: 10,
  mine: 22,
  work: 26,
  round: 10,
  duel: 3,
  kill: 4,
  reorganise: 4,
  branch: 4,
  astray: 1,
  drop: 3,
  cancel: 1,
  gas: 2,
  pause: 1,
  refuse: 1,
  wait: 1,
  sleep: 1,
  deep: 0.3,
  operator: 1,
}

/** Lets a story happen: so many things one after the other, with bad weather most of the time. */
export async function happen(world: World, steps: number): Promise<void> {
  const { network, pick } = world
  await begin(world)
  let nested = 0
  network.meanwhile = async () => {
    if (nested >= 2) return
    nested += 1
    try {
      await step(world, pick.weighted({ mine: 5, work: 5, astray: 3, reorganise: 2, branch: 2, drop: 1, pay: 1 }))
    } finally {
      nested -= 1
    }
  }
  for (let count = 0; count < steps; count++) {
    if (count % 12 === 0) changeWeather(world)
    await step(world, pick.weighted(happenings))
    stopIfBroken(world)
  }
}

/** Every member has something on the balance to begin with. */
async function begin(world: World): Promise<void> {
  for (const owner of world.members) {
    for (const asset of assetCodes) {
      const amount = 150n * WHOLE
      send(world, owner, { do: 'recharge', key: 'deposit', asset, amount, customer: owner, reference: '' })
    }
  }
  for (let blocks = 0; blocks <= world.confirmations.large; blocks++) mine(world, 5, 1)
  for (const what of ['follow', 'credit', 'reconcile'] as const) await work(world, world.processes[0], what, 20)
}

/** What breaks while a request is under way would pass for a failed request: it is kept and thrown here. */
export function stopIfBroken(world: World): void {
  const [first] = world.broken
  if (first !== undefined) throw first
}

async function step(world: World, what: keyof typeof happenings): Promise<void> {
  world.trace(what)
  switch (what) {
    case 'pay':
      return pay(world)
    case 'ask':
      return ask(world)
    case 'withdraw':
      return withdraw(world)
    case 'mine':
      return mine(world, 1 + world.pick.below(12), 0.8)
    case 'work':
      return work(world, world.pick.one(idle(world)), world.pick.one(works))
    case 'round':
      for (const one of ['follow', 'credit', 'payOut', 'reconcile'] as const)
        await work(world, world.pick.one(idle(world)), one, one === 'follow' ? 8 : 4)
      return
    case 'duel':
      return duel(world)
    case 'kill':
      world.pick.one(world.processes).life.endIn(world.pick.below(30))
      return
    case 'reorganise':
      return reorganise(world)
    case 'branch':
      return branch(world)
    case 'astray':
      return astray(world)
    case 'drop':
      return drop(world)
    case 'cancel':
      return cancel(world)
    case 'gas':
      world.network.gasPrice = GWEI * BigInt(1 + world.pick.below(world.pick.chance(0.2) ? 700 : 6))
      return
    case 'pause':
      return send(world, world.strangers[0], { do: 'pause', paused: world.pick.chance(0.5) })
    case 'refuse':
      return send(world, world.pick.one(world.members), { do: 'refuse', refuses: world.pick.chance(0.5) })
    case 'wait':
      return mine(world, world.pick.one([200, 400, 1000, 90_000]), 0.8)
    case 'sleep':
      for (let blocks = 10 + world.pick.below(70); blocks > 0; blocks--) mine(world, 1, 0.9)
      return
    case 'deep':
      return deep(world)
    case 'operator':
      return operate(world)
  }
}

/** Processes that are in the middle of nothing. */
const idle = ({ processes, busy }: World): ServerProcess[] => processes.filter((process) => !busy.has(process))

/** Lets a process do a piece of work, and more of it while there is more. */
export async function work(world: World, process: ServerProcess | undefined, what: Work, rounds = 1): Promise<void> {
  if (process === undefined) return
  const { network } = world
  world.trace(process.name, what)
  const { weather } = network
  // Far behind, the follower fetches ahead while it writes: then the story would depend on which is faster.
  if (what === 'follow' && (await lag(world)) > 28) network.weather = { ...weather, meanwhile: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const more = await attempt(world, process, () => process.work(what))
      // What failed is tried again, as the loops of the server do.
      if (more === false || process.life.isOver) break
    }
  } finally {
    if (network.weather !== weather) network.weather = weather
  }
  if (what === 'credit') await checkCredits(world)
}

/** A process whose node takes a branch for the chain follows it for a while. */
async function astray(world: World): Promise<void> {
  const { network, pick } = world
  const [process] = pick.chance(0.5) ? idle(world) : idle(world).toReversed()
  if (network.branch === null) return
  const { weather } = network
  network.weather = { ...calm, forked: 1 }
  try {
    await work(world, process, 'follow', 3)
  } finally {
    network.weather = weather
  }
}

function changeWeather({ network, pick, trace }: World): void {
  const kind = pick.one(forecast)
  trace('weather', kind)
  network.weather = weathers[kind]
}

async function lag({ db, chain }: World): Promise<number> {
  const { followed } = await db.selectFrom('chain_cursor').select('followed').executeTakeFirstOrThrow()
  return chain.head.number - Number(followed)
}

/** Nothing may be credited that a reorganisation can still take away. */
async function checkCredits(world: World): Promise<void> {
  const { db, chain, network, wentDeep } = world
  if (wentDeep) return
  const rows = await db
    .selectFrom('chain_event')
    .select(['tx_hash', 'block_hash', 'block_number', 'confirmations_needed'])
    .where('state', '=', 'credited')
    .where('block_number', '>', BigInt(network.floor() - 40))
    .execute()
  for (const { tx_hash, block_number, block_hash, confirmations_needed } of rows) {
    const limit = BigInt(chain.shown - confirmations_needed + 1)
    if (block_number > limit)
      throw broken(world, `${tx_hash} in block ${block_number} was credited before block ${limit}`)
    if (chain.at(chain.head, Number(block_number))?.hash !== block_hash) {
      throw broken(world, `${tx_hash} was credited in a block that is not on the chain`)
    }
  }
}

/** Two processes do the same thing at the very same time. */
async function duel(world: World): Promise<void> {
  const { network, pick, processes, busy } = world
  if (processes.some((process) => busy.has(process) || process.life.isDoomed)) return
  const what = pick.one(['follow', 'credit', 'payOut'] as const)
  world.trace('duel', what)
  const { weather } = network
  network.weather = calm
  try {
    const each = async (process: ServerProcess) => {
      for (let round = 0; round < 8 && (await process.work(what)); round++);
    }
    // Of two that ask at once one may find the other's work done, and nothing else.
    const results = await Promise.allSettled(processes.map(each))
    for (const result of results) {
      if (result.status === 'fulfilled' || result.reason instanceof RpcError) continue
      throw broken(world, `duel of ${what}: ${reasonOf(result.reason)}`, result.reason)
    }
  } finally {
    network.weather = weather
  }
  if (what === 'credit') await checkCredits(world)
}

/** A member asks the server for something that is to be paid. */
function ask(world: World): Promise<void> {
  const { pick } = world
  const owner = pick.one(world.members)
  const memberId = world.memberIds.get(owner) as bigint
  const requestId = `request-${++world.requests}`
  const asset = pick.one(assetCodes)
  const amount = BigInt(5 + pick.below(pick.chance(0.2) ? 400 : 60)) * WHOLE + BigInt(pick.below(1000))
  const isOrder = pick.chance(0.4) && asset !== 'HASH'
  const mayPay = pick.chance(0.8)
  const run = async (process: ServerProcess) => {
    const payment = isOrder
      ? (await process.order({ planId: Number(world.planId), asset, requestId }, memberId)).order.transaction
      : (await process.deposit({ asset, amount, requestId }, memberId)).transaction
    // Asked again after its time was up, it can no longer be paid.
    if (payment === null) return
    const { tuple, abiKey } = payment
    // Asked again after a lost answer, it is the same order: it must not be paid again for that.
    if (world.calls.some((known) => known.tuple[3] === tuple[3])) return
    world.calls.push({ tuple, key: abiKey, owner })
    if (mayPay) send(world, owner, callOf(world, tuple, abiKey))
  }
  const name = isOrder ? 'order' : 'deposit'
  world.asked[name] += 1
  return command(world, { name, run }, pick.chance(0.15))
}

async function withdraw(world: World): Promise<void> {
  const { pick } = world
  const owner = pick.one(world.members)
  const memberId = world.memberIds.get(owner) as bigint
  const input = {
    asset: pick.one(assetCodes),
    amount: BigInt(5 + pick.below(100)) * WHOLE + BigInt(pick.below(1000)),
    requestId: `request-${++world.requests}`,
  }
  const run = async (process: ServerProcess) => void (await process.withdraw(input, memberId))
  world.asked.withdraw += 1
  await command(world, { name: 'withdraw', run }, pick.chance(0.15))
}

/** Runs a member's command; without an answer it will be asked again. `twice`: the client is impatient. */
async function command(world: World, wanted: Command, twice = false): Promise<void> {
  const [process] = idle(world)
  if (process === undefined) return
  const before = world.started
  await attempt(world, process, () => wanted.run(process))
  if (world.started !== before || twice) world.unanswered.push(wanted)
}

/** Asks again for what has had no answer. */
export async function askAgain(world: World): Promise<void> {
  for (let next = world.unanswered.shift(); next !== undefined; next = world.unanswered.shift())
    await command(world, next)
}

function callOf(
  world: World,
  [amount, address, customer, reference]: readonly [string, string, string, string],
  key: string,
): Call {
  const { usdt, hash } = world.contracts
  const asset = address === usdt ? 'USDT' : address === hash ? 'HASH' : 'JU'
  return { do: 'recharge', key, asset, amount: BigInt(amount), customer: customer as Hex, reference }
}

/** Somebody pays: what was asked for or something else. */
function pay(world: World): void {
  const { pick } = world
  const from = pick.one([...world.members, ...world.strangers])
  const known = pick.chance(0.5) && world.calls.length > 0 ? pick.one(world.calls.slice(-8)) : undefined
  const asset = pick.one(assetCodes)
  const amount = BigInt(1 + pick.below(20)) * WHOLE + BigInt(pick.below(1_000_000))
  if (known !== undefined) {
    const exact = callOf(world, known.tuple, known.key)
    if (pick.chance(0.6)) return send(world, from, exact)
    // Small enough to wait no longer than a right payment, so that it cannot overtake one.
    return send(world, from, { ...exact, asset, amount } as Call)
  }
  const customer = pick.one([...world.members, ...world.strangers])
  switch (pick.weighted({ native: 3, transfer: 2, deposit: 4, buyPower: 2, repay: 1, revenue: 1 })) {
    case 'native':
      return send(world, from, { do: 'native', amount })
    case 'transfer':
      return send(world, from, { do: 'transfer', asset: pick.one(['USDT', 'HASH'] as const), amount })
    case 'deposit':
      return send(world, from, { do: 'recharge', key: 'deposit', asset, amount, customer, reference: '' })
    case 'buyPower':
      return send(world, from, { do: 'recharge', key: 'buyPower', asset, amount, customer, reference: 'NO-ORDER' })
    case 'repay':
      return send(world, from, { do: 'recharge', key: 'repay', asset, amount, customer, reference: 'NO-LOAN' })
    case 'revenue': {
      const reference = pick.one(['2026-03-01', '2026-02-30', 'soon'])
      return send(world, from, { do: 'recharge', key: 'revenue', asset, amount, customer, reference })
    }
  }
}

/** Looks at a halt, and resumes once every credited payment is back on the chain. */
export async function operate({ db }: World): Promise<void> {
  const lost = await db.selectFrom('chain_event').select('id').where('orphaned_at', 'is not', null).execute()
  if (lost.length === 0) await transaction(db, resumeCrediting)
}

/** Ends what is doomed: from here on no process dies. */
export async function revive(world: World): Promise<void> {
  for (const process of world.processes.slice()) if (process.life.isDoomed) await restart(world, process)
}
