import { calm } from '../faults/fault-profile.ts'
import { mine, send } from './chain-actions.ts'
import { askAgain, operate, revive, stopIfBroken, work } from './workload.ts'
import { broken, type World } from '../run/simulation.ts'

/** Everything goes well from now on, until nothing is left to do. @throws Broken when that never comes */
export async function settle(world: World): Promise<void> {
  const { network, chain, members, strangers } = world
  world.trace('settle')
  network.weather = calm
  network.branch = null
  network.gasPrice = 10n ** 9n
  await revive(world)
  await askAgain(world)
  for (let round = 0; round < 40; round++) {
    fillGaps(world)
    if (round < 2) {
      // Twice, because the first may stand before something else that still waits.
      send(world, strangers[0], { do: 'pause', paused: false })
      for (const member of members) send(world, member, { do: 'refuse', refuses: false })
    }
    // The cap counts days, and what has failed is tried again after minutes up to an hour.
    mine(world, round < 8 ? 61 : round % 8 === 0 ? 86_400 : 1_801, 1)
    for (let blocks = world.confirmations.large; blocks > 0; blocks--) mine(world, 1, 1)
    const [process] = world.processes
    await work(world, process, 'follow', 20)
    await operate(world)
    for (const what of ['credit', 'sweep', 'payOut', 'reconcile', 'fold'] as const) await work(world, process, what, 20)
    stopIfBroken(world)
    if (chain.pool.size === 0 && (await isQuiet(world))) return
  }
  throw broken(world, `it does not come to rest: ${await whatWaits(world)}`)
}

/** Wallets fill what a lost transaction has left open, so that those behind it can be mined. */
function fillGaps(world: World): void {
  const { chain, members, strangers } = world
  for (const from of [...members, ...strangers]) {
    const isBlocked = () => {
      const next = chain.nextNonce(from)
      return [...chain.pool.values()].some((one) => one.from === from && one.nonce > next)
    }
    while (isBlocked()) send(world, from, { do: 'nothing' })
  }
}

async function isQuiet(world: World): Promise<boolean> {
  return (await whatWaits(world)) === ''
}

async function whatWaits({ db, chain }: World): Promise<string> {
  const events = await db
    .selectFrom('chain_event')
    .select(['action', 'last_failure'])
    .where('state', '=', 'recorded')
    .execute()
  const open = await db
    .selectFrom('withdrawal')
    .select(['withdrawal_no', 'state', 'trouble'])
    .where('state', 'in', ['review', 'queued', 'sending'])
    .execute()
  const orphans = await db.selectFrom('chain_event').select('id').where('orphaned_at', 'is not', null).execute()
  const cursor = await db.selectFrom('chain_cursor').selectAll().executeTakeFirstOrThrow()
  return [
    ...events.map(({ action, last_failure }) => `${action} waits (${last_failure})`),
    ...open.map((one) => `${one.withdrawal_no} is ${one.state} (${one.trouble})`),
    ...orphans.map(({ id }) => `event ${id} is off the chain`),
    ...(cursor.halted_reason === null ? [] : [`crediting is halted: ${cursor.halted_reason}`]),
    ...(Number(cursor.followed) === chain.head.number ? [] : [`followed ${cursor.followed} of ${chain.head.number}`]),
  ].join('; ')
}
