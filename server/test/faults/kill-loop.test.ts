import { setTimeout as sleep } from 'node:timers/promises'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/action-data'
import { startTestChain, type TestChain } from '@candela/server/chain/testing-chain'
import { migrate } from '@candela/server/db/migrate'
import { must } from '@candela/server/kernel/assert'
import { addMember, addPlan, WHOLE } from '@candela/server/modules/power/testing'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Choices, choicesOf } from '../../simulate/run/random.ts'
import { callServer, type Client, Load, numberOf } from './kill-workload.ts'
import { Machine, type Victim, victims } from './restartable-service.ts'
import {
  expectBooksToMatch,
  expectEveryCommandOnce,
  expectEveryPaymentOnce,
  expectEveryPayoutOnce,
  expectPowerToMatch,
  isAtRest,
} from './kill-checks.ts'
import { environmentOf, temporaryFolder } from '../server-process.ts'

/** A few with every test run; `KILLS=100` for the whole. */
const KILLS = Number(process.env['KILLS'] ?? 24)
/** Decides who is killed when and who does what; what the machine does in between stays its own. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const MOST_RECOVERY_MS = 30_000

const CLIENTS = 4
const say = (line: string) => process.stdout.write(`kill-loop: ${line}\n`)

/** The contract lets a new key pay, as much as anybody may ask for here. */
async function makePayer(chain: TestChain): Promise<Hex> {
  const key = generatePrivateKey()
  const own = { abi: paymentGatewayAbi } as const
  const owner = (data: Hex) => chain.send(chain.deployer, chain.gateway, data)
  await owner(encodeFunctionData({ ...own, functionName: 'setPayer', args: [privateKeyToAddress(key)] }))
  for (const asset of [NATIVE_ASSET as Hex, chain.usdt, chain.hash]) {
    await owner(encodeFunctionData({ ...own, functionName: 'setDailyCap', args: [asset, 10n ** 9n * WHOLE] }))
  }
  await chain.client.setBalance({ address: privateKeyToAddress(key), value: 1_000n * WHOLE })
  await chain.mine()
  return key
}

/** Members with accounts of the chain. Their sessions come when there is a server. */
async function makeClients(chain: TestChain, machine: Machine): Promise<{ clients: Client[]; planId: bigint }> {
  return machine.read(async (db) => {
    await migrate(db)
    const planId = await addPlan(db, { totalUnits: 1_000_000 })
    const setting = { key: 'openOrders', value: '1000', updated_at: new Date() }
    await db.insertInto('setting').values(setting).execute()
    const clients: Client[] = []
    for (let nth = 0; nth < CLIENTS; nth++) {
      const account = mnemonicToAccount('test test test test test test test test test test test junk', {
        addressIndex: nth + 1,
      })
      const address = account.address.toLowerCase() as Hex
      expect(address).toBe(chain.payers[nth])
      const stranger = must(chain.payers[CLIENTS + nth], 'anvil has ten accounts')
      clients.push({ account, address, stranger, memberId: await addMember(db, address), token: '' })
    }
    return { clients, planId }
  })
}

async function signIn(base: string, client: Client): Promise<void> {
  const { account, address } = client
  const asked = await callServer(base, 'GET auth/loginMessage', { address })
  const { message } = must(asked, 'the server answers').data as { message: string }
  const sign_message = await account.signMessage({ message })
  const answer = await callServer(base, 'POST auth/login', { address, message, sign_message })
  client.token = (must(answer, 'the server answers').data as { token: string }).token
}

/** What every client has to begin with, more than it can spend. */
async function payIn(chain: TestChain, load: Load, clients: readonly Client[]): Promise<void> {
  for (const { address } of clients) {
    for (const asset of [chain.usdt, chain.hash]) {
      load.expect(await chain.pay({ asset, amount: 5_000_000n * WHOLE, from: address }), 'balance')
    }
  }
}

async function untilAtRest(chain: TestChain, machine: Machine, load: Load): Promise<void> {
  for (let tries = 0; tries < 900; tries++) {
    if (await machine.read((db) => isAtRest(db, load.outcomes.size))) return
    machine.check()
    await chain.client.mine({ blocks: 1 })
    await sleep(100)
  }
  throw new Error('it does not come to rest')
}

/** Kills again and again while people go on. Returns how long each recovery took, by what was killed. */
async function killAgainAndAgain(machine: Machine, load: Load, pick: Choices): Promise<[Victim, number][]> {
  const recoveries: [Victim, number][] = []
  for (let kills = 0; kills < KILLS;) {
    const victim = pick.weighted(victims)
    const since_ms = await machine.kill(victim)
    kills += victim === 'starting' || victim === 'everything' ? 2 : 1
    const watch = setInterval(() => machine.check(), 5)
    const late = AbortSignal.timeout(MOST_RECOVERY_MS)
    try {
      const first_ms = await Promise.race([
        load.firstAcknowledged(since_ms),
        new Promise<never>((_resolve, reject) =>
          late.addEventListener('abort', () => reject(new Error(`nothing is acknowledged after the kill: ${victim}`))),
        ),
      ])
      recoveries.push([victim, first_ms - since_ms])
    } finally {
      clearInterval(watch)
    }
    await sleep(50 + pick.below(400))
  }
  return recoveries
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function sayTimes(name: string, times: readonly number[]): void {
  const [middle, worst] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0))
  say(`${name}: ${times.length} recoveries, median ${middle} ms, worst ${worst} ms`)
}

/** Returns the worst. */
function report(recoveries: readonly [Victim, number][]): number {
  for (const victim of Object.keys(victims) as Victim[]) {
    const times = recoveries.filter(([killed]) => killed === victim).map(([, ms]) => ms)
    if (times.length > 0) sayTimes(victim, times)
  }
  const all = recoveries.map(([, ms]) => ms)
  sayTimes('all', all)
  return Math.max(...all)
}

test(
  `${KILLS} kills of server and Postgres: nothing acknowledged is lost, nothing is done twice`,
  {
    timeout: 60_000 + KILLS * 8_000,
  },
  async () => {
    say(`KILLS=${KILLS} KILL_SEED=${seed}`)
    const pick = choicesOf(seed)
    await using chain = await startTestChain()
    await using cache = await temporaryFolder()
    await using data = await temporaryFolder()
    await using machine = await Machine.start(data.path, pick)
    const PAYER_KEY = await makePayer(chain)
    const env: Record<string, string> = {
      ...(await environmentOf(chain, machine, cache.path)),
      PAYER_KEY,
      RATE_LIMIT_SCALE: '1000',
      // Blocks come ten times as fast as on the real chain.
      MAX_LAG_BLOCKS: '300',
    }
    const { clients, planId } = await makeClients(chain, machine)
    await machine.serve(env)
    const base = `http://127.0.0.1:${must(env['PORT'], 'set above')}`
    for (const client of clients) await signIn(base, client)
    const load = new Load({ base, chain, clients, planId, pick })
    await payIn(chain, load, clients)
    await untilAtRest(chain, machine, load)

    load.start()
    const recoveries = await killAgainAndAgain(machine, load, pick)
    await load.stop()
    const worst_ms = report(recoveries)
    const { acknowledged, outcomes, unanswered } = load
    say(`${acknowledged.length} commands acknowledged, ${outcomes.size} payments, ${unanswered} calls unanswered`)
    say(`${machine.heldStarts} starts found the database held`)
    // There must have been something to lose.
    expect(unanswered).toBeGreaterThan(recoveries.length)
    expect(acknowledged.length).toBeGreaterThan(3 * recoveries.length)

    await untilAtRest(chain, machine, load)
    for (const { key, client, input, number } of acknowledged.slice(-20)) {
      const again = await callServer(base, key, input, client.token)
      expect([again?.code, again === null ? '' : numberOf(key, again.data)]).toEqual([200, number])
    }
    const output = await machine.stopServer()
    expect(output).not.toContain(PAYER_KEY.slice(2))
    const startBlock = BigInt(must(env['START_BLOCK'], 'set above'))
    await machine.read(async (db) => {
      await expectEveryCommandOnce(db, acknowledged)
      await expectEveryPaymentOnce(chain, db, startBlock, outcomes)
      await expectEveryPayoutOnce(chain, db, startBlock)
      await expectPowerToMatch(db)
      await expectBooksToMatch(chain, db)
    })
    // A busy machine may be slower; whoever asks for the whole wants to know.
    if (process.env['KILLS'] !== undefined) expect(worst_ms).toBeLessThan(2_000)
  },
)
