import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { transaction } from '@candela/server/db/open'
import { uuidFromName } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postNew } from '@candela/server/ledger/post'
import { registerMember } from '@candela/server/modules/member/register'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Lent } from '../run/databases.ts'
import { createSimulation, type Simulation, WHOLE } from '../run/simulation.ts'
import { mine } from '../workload/chain-actions.ts'

/** One attacker with a thousand free accounts, and a few honest members, on the simulated service. */

export type Person = { memberId: bigint; signer: PrivateKeyAccount; address: Hex }

/** Free accounts. Only these many of them ever do or have anything. */
export const CROWD = 1_000
const ACTIVE = 40
const HONEST = 4
const FIRST_KEY = 0x2000n
/** The amounts that each has of each asset: the honest, two accounts that ask for nearly the whole cap, and the other active ones. */
const OWNED = 2_000n * WHOLE
const LARGE = 600n * WHOLE
const SMALL = 60n * WHOLE
const LARGE_ACCOUNTS = 2
/** So many get dust and nothing else. */
const DUSTED = 40

/** Something that somebody wants done once, and every id under which it was sent. */
export type Intent = { name: string; memberId: bigint; ids: Set<string> }

export type Crowd = Awaited<ReturnType<typeof openCrowd>>

export async function openCrowd(seed: number, lent: Lent) {
  const signers = Array.from({ length: HONEST + ACTIVE }, (_none, index) =>
    privateKeyToAccount(`0x${(FIRST_KEY + BigInt(index)).toString(16).padStart(64, '0')}`),
  )
  const held = BigInt(HONEST) * OWNED + BigInt(LARGE_ACCOUNTS) * LARGE + BigInt(ACTIVE - LARGE_ACCOUNTS) * SMALL
  const honestAddresses = signers.slice(0, HONEST).map(addressOf)
  const simulation = await createSimulation(
    seed,
    lent,
    { exit: false, workers: 1 },
    { people: honestAddresses, desk: 20_000n * WHOLE, held },
  )
  const honest = signers.slice(0, HONEST).map((signer): Person => ({
    signer,
    address: addressOf(signer),
    memberId: simulation.memberIds.get(addressOf(signer)) as bigint,
  }))
  const idleAddresses = Array.from(
    { length: CROWD - ACTIVE },
    (_none, nth): Hex => `0x${(0xc000 + nth).toString(16).padStart(40, '0')}`,
  )
  const ids = await register(simulation, [...signers.slice(HONEST).map(addressOf), ...idleAddresses])
  const active = signers.slice(HONEST).map((signer, nth): Person => ({
    signer,
    address: addressOf(signer),
    memberId: ids[nth] as bigint,
  }))
  const crowd = {
    simulation,
    honest,
    active,
    /** The ones of them that ask for nearly the whole cap. */
    large: active.slice(0, LARGE_ACCOUNTS),
    /** Members of the crowd who do nothing and have nothing. */
    idle: ids.slice(ACTIVE + DUSTED),
    /** Members of the crowd who are owed less than a step of an asset, and do nothing. */
    dusted: idleAddresses.slice(0, DUSTED),
    intents: [] as Intent[],
    round: 0,
    /** By withdrawal: since which round it fits, and how many rounds it may wait then. */
    fitting: new Map<bigint, { since: number; rounds: number }>(),
    findings: [] as string[],
    /** How often something happened, by name. */
    counts: {} as Record<string, number>,
  }
  // Too many withdrawals, one that is signed already, another fee or price, a free command too many, an order or announcement too many.
  for (const code of [404, 4203, 4204, 4205, 4207, 4212, 4213, 4214]) simulation.expected.add(code)
  await putMoney(crowd)
  return crowd
}

const addressOf = ({ address }: PrivateKeyAccount): Hex => address.toLowerCase() as Hex

/** All come by the code of one honest member. */
async function register({ db, ids, clock }: Registering, addresses: readonly Hex[]): Promise<bigint[]> {
  await db.updateTable('member').set({ code_open_at: clock.now() }).where('invitation_code', '=', CODE).execute()
  return transaction(db, async (tx) => {
    const made: bigint[] = []
    for (const address of addresses)
      made.push(await registerMember(tx, ids, { address, invitationCode: CODE, now: clock.now() }))
    return made
  })
}
const CODE = 'MEMBER0'
type Registering = Pick<Simulation, 'db' | 'ids' | 'clock'>

/** The money of the honest is old; the crowd's comes after it. */
async function putMoney({ simulation, honest, active }: Crowd): Promise<void> {
  const give = async (people: readonly Person[], amount: bigint) => {
    const postings = people.flatMap(({ memberId }) =>
      assetCodes.map((asset) => depositOf(simulation, memberId, asset, amount)),
    )
    await transaction(simulation.db, (tx) => postNew(tx, postings))
  }
  await give(honest, OWNED)
  await give(active.slice(0, LARGE_ACCOUNTS), LARGE)
  await give(active.slice(LARGE_ACCOUNTS), SMALL)
  // All of it is old after a day.
  mine(simulation, 86_401, 1)
}

function depositOf({ clock, seed }: Simulation, memberId: bigint, asset: AssetCode, amount: bigint) {
  return {
    id: uuidFromName(`crowd ${seed} ${memberId} ${asset}`),
    kind: 'deposit' as const,
    legs: [
      { debit: platformAccount('custody', asset), credit: memberAccount(memberId, 'memberAvailable', asset), amount },
    ],
    memo: { action: 'deposit' as const, reference: '', payer: '0x', customer: '0x', txHash: '0x' },
    occurredAt: clock.now(),
  }
}
