import { noSums } from '@candela/protocol/proof/sum-tree'
/** Rounds of attesting against a node that answers as each test says, on a real database. */
import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import type { AttestTerms } from '@candela/server/chain/payout/attest-chain'
import type { SendResult } from '@candela/server/chain/payout/payout-chain'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { keptLog } from '@candela/testing/server/kept-log'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { addMember, addressOf, followTo } from '@candela/server/modules/power/testing'
import type { AttestDeps } from '@candela/server/modules/proof/attest/attest-deps'
import { agreeAlone } from '@candela/server/chain/nodes/agree'
import { attestRounds } from '@candela/server/modules/proof/attest/attest-round'
import { requestAttestation } from '@candela/server/modules/proof/attest/request-attestation'
import { setSetting } from '@candela/server/modules/setting/manage-settings'
import { settingTable } from '@candela/server/db/settings'
import { describe, expect, test } from 'vitest'
import { oneConfirmation, someHoldings } from './attested.ts'

const GWEI = 10n ** 9n
const DAY = '2026-03-02'
const NEXT_DAY = '2026-03-03'
const after = (text: string, ms: number) => new Date(Date.parse(text) + ms)

const blockAt = (number: bigint) => ({ number, hash: `0x${'0'.repeat(64)}` })

async function start() {
  const own = await createTestDatabase()
  const { db } = own
  const clock = fakeClock(`${DAY}T02:00:00Z`)
  // Eleven blocks make one final.
  for (const block of [90n, 100n]) await followTo(db, block, clock.now())
  await addMember(db, addressOf(7))
  const { log, lines } = keptLog('info')
  /** The answers of the node. */
  const node = {
    gasPrice: GWEI,
    nonceNow: 0n,
    nonceFinal: 0n,
    refusal: null as string | null,
    last: { root: `0x${'0'.repeat(64)}`, attestedAt: clock.now() },
    send: { result: 'accepted' } as SendResult,
    succeeded: new Map<string, boolean>(),
    debts: [] as Awaited<ReturnType<AttestDeps['snapshot']['sources']['listOpenDebts']>>,
  }
  const sent: string[] = []
  const attested: AttestTerms[] = []
  const config = oneConfirmation()
  const snapshot = snapshotDeps({ db, clock, config, payouts: { holdings: someHoldings } })
  const deps: AttestDeps = {
    db,
    clock,
    log,
    chain: {
      nonceAt: (at) => Promise.resolve(at.number === 90n ? node.nonceFinal : node.nonceNow),
      gasPrice: () => Promise.resolve(node.gasPrice),
      send: (raw) => {
        sent.push(raw)
        return Promise.resolve(node.send)
      },
      receipt: (hash) => {
        const succeeded = node.succeeded.get(hash)
        return Promise.resolve(succeeded === undefined ? null : { at: blockAt(90n), succeeded })
      },
    },
    attest: {
      call: (terms) => {
        attested.push(terms)
        return { to: '0x', data: '0x' }
      },
      refusal: () => Promise.resolve(node.refusal),
      lastAt: () => Promise.resolve({ day: '2026-01-01', sums: noSums, ...node.last }),
      exitedAt: () => Promise.resolve(null),
    },
    signer: {
      address: addressOf(5),
      sign: ({ nonce, gasPrice }) => {
        const name = `${nonce} ${gasPrice}`
        return Promise.resolve({ hash: `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`, raw: name } as never)
      },
    },
    snapshot: { ...snapshot, sources: { ...snapshot.sources, listOpenDebts: () => Promise.resolve(node.debts) } },
    confirmations: { normal: 11, large: 11, largeAbove: 0n },
  }
  const rounds = attestRounds(deps)
  return {
    db,
    clock,
    node,
    sent,
    attested,
    deps,
    /** The last block is of now. */
    async round() {
      await own.owner.updateTable('chain_block').set({ at: clock.now() }).where('number', '=', 100n).execute()
      return await rounds()
    },
    said: (event: string) => lines.filter((line) => line.includes(`"${event}"`)).length,
    reasons: () => lines.flatMap((line) => /"reason":"([^"]*)"/.exec(line)?.[1] ?? []),
    signed: () =>
      db
        .selectFrom('attestation_transaction')
        .select(['day', 'hash', 'raw', 'gas_price', 'last_failure'])
        .orderBy('signed_at')
        .execute(),
    states: async () =>
      (await db.selectFrom('attestation').select(['day', 'state']).orderBy('day').execute()).map(
        ({ day, state }) => `${day} ${state}`,
      ),
    /** The contract says of the last snapshot that it is attested, at a final block. */
    async makeFinal() {
      const rows = await db.selectFrom('proof_snapshot').select('root').orderBy('day', 'desc').execute()
      node.last = { root: rows[0]?.root ?? '', attestedAt: clock.now() }
      node.nonceNow = node.nonceFinal = node.nonceFinal + 1n
    },
    [Symbol.asyncDispose]: () => own.drop(),
  }
}

test('a day is due twenty minutes after its close has begun, by the setting of the close, and not earlier', async () => {
  await using own = await start()
  own.clock.set(`${DAY}T00:29:59Z`)
  await own.round()
  expect(await own.states()).toEqual([])
  own.clock.set(`${DAY}T00:30:00Z`)
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
})

test('what is attested is the snapshot of the day: its root, sums, leaves, block and sequence', async () => {
  await using own = await start()
  await own.round()
  const snapshot = await own.db.selectFrom('proof_snapshot').selectAll().executeTakeFirstOrThrow()
  const { root, sequence, block_number: block, depth } = snapshot
  const sums = [snapshot.owed_usdt, snapshot.owed_hash, snapshot.owed_ju]
  expect(own.attested).toEqual([{ day: DAY, root, sums, leaves: 2 ** depth, block, sequence }])
})

test('the next day waits until what is signed is over', async () => {
  await using own = await start()
  await own.round()
  own.clock.set(`${NEXT_DAY}T02:00:00Z`)
  own.node.gasPrice = 10_000n * GWEI
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
  own.node.gasPrice = GWEI
  await own.makeFinal()
  await own.round()
  expect(await own.states()).toEqual([`${DAY} attested`, `${NEXT_DAY} signed`])
})

test('sums that differ attest nothing, are said once, and end when they agree again', async () => {
  await using own = await start()
  const { node } = own
  node.debts = [{ memberId: 999n, debt: 0n, collateral: { JU: 0n, HASH: 0n } }]
  for (let times = 0; times < 3; times += 1) await own.round()
  expect([await own.states(), own.said('proof.sums-differ')]).toEqual([[], 1])
  node.debts = []
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
})

test('the dearest that was signed is the one that is offered again', async () => {
  await using own = await start()
  await own.round()
  await own.round()
  own.clock.advance(10 * MINUTE_MS)
  await own.round()
  const [first, dearer] = await own.signed()
  expect(own.sent).toEqual([first?.raw, dearer?.raw])
  own.clock.advance(MINUTE_MS)
  await own.round()
  expect(own.sent).toEqual([first?.raw, dearer?.raw, dearer?.raw])
})

test('it is offered each half minute, and why the node refused is kept and said', async () => {
  await using own = await start()
  await own.round()
  await own.round()
  expect(own.sent).toHaveLength(1)
  own.clock.advance(29_000)
  await own.round()
  expect(own.sent).toHaveLength(1)
  own.clock.advance(1_000)
  own.node.send = { result: 'refused', reason: 'insufficient funds' }
  await own.round()
  expect(own.sent).toHaveLength(2)
  expect((await own.signed()).map((row) => row.last_failure)).toEqual(['insufficient funds'])
  expect(own.said('proof.refused-by-node')).toBe(1)
})

test('it is signed again for more only after blocks went by, with its own key, and while its nonce is free', async () => {
  await using own = await start()
  await own.round()
  await own.round()
  expect(await own.signed()).toHaveLength(1)
  own.clock.advance(10 * MINUTE_MS)
  // The key was exchanged: what the old one signed can only be offered.
  await attestRounds({ ...own.deps, signer: { ...own.deps.signer, address: addressOf(6) } })()
  expect(await own.signed()).toHaveLength(1)
  expect(own.sent).toHaveLength(2)
  // It is in a block that is not final yet.
  own.node.nonceNow = 1n
  await own.round()
  expect(await own.signed()).toHaveLength(1)
  own.node.nonceNow = 0n
  await own.round()
  expect((await own.signed()).map(({ raw }) => raw.split(' ')[0])).toEqual(['0', '0'])
})

test('a nonce that was used for something else leaves the day failed, which is said', async () => {
  await using own = await start()
  await own.round()
  own.node.nonceNow = own.node.nonceFinal = 1n
  own.node.last = { root: `0x${'ab'.repeat(32)}`, attestedAt: own.clock.now() }
  await own.round()
  expect(await own.states()).toEqual([`${DAY} failed`])
  expect([own.said('proof.failed'), own.said('proof.attested')]).toEqual([1, 0])
})

test.each([0, 1])('the transaction that is kept is the one that succeeded, not one that reverted (%i)', async (nth) => {
  await using own = await start()
  await own.round()
  own.clock.advance(10 * MINUTE_MS)
  await own.round()
  const signed = await own.signed()
  for (const [at, { hash }] of signed.entries()) own.node.succeeded.set(hash, at === nth)
  await own.makeFinal()
  await own.round()
  expect(await own.states()).toEqual([`${DAY} attested`])
  expect((await own.signed()).map(({ hash }) => hash)).toEqual([signed[nth]?.hash])
})

test('gas above the most that may be offered is not paid', async () => {
  await using own = await start()
  // A quarter more than the node names is offered, and 500 is the most.
  own.node.gasPrice = 400n * GWEI
  await own.round()
  expect(await own.states()).toEqual([])
  expect(own.reasons()).toEqual([`gas costs ${500n * GWEI + 1n} base units now`])
  own.node.gasPrice = 399n * GWEI
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
})

test('no setting of one operator keeps a day from being attested: neither the least gas price nor the latest close', async () => {
  await using own = await start()
  const set = (key: 'payoutGasPriceGwei' | 'closeMinutes', value: string) =>
    transaction(own.db, (tx) => setSetting(tx, key, value, own.clock.now()))
  await set('payoutGasPriceGwei', String(settingTable.payoutGasPriceGwei.min))
  await set('closeMinutes', String(settingTable.closeMinutes.max))
  own.node.gasPrice = 399n * GWEI
  own.clock.set(`${DAY}T20:19:59Z`)
  await own.round()
  expect(await own.states()).toEqual([])
  own.clock.set(`${DAY}T20:20:00Z`)
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
})

test('while others send from the account of the payer it waits, and says so', async () => {
  await using own = await start()
  own.node.nonceNow = 3n
  await own.round()
  expect(await own.states()).toEqual([])
  expect(own.reasons()).toEqual([expect.stringContaining('not ours')])
  own.node.nonceFinal = 3n
  await own.round()
  expect((await own.signed()).map(({ raw }) => raw.split(' ')[0])).toEqual(['3'])
})

test('an operator may ask twice for a day', async () => {
  await using own = await start()
  own.clock.set(`${DAY}T00:05:00Z`)
  const ask = () => transaction(own.db, (tx) => requestAttestation(tx, DAY, own.clock.now()))
  expect([await ask(), await ask()]).toEqual([true, true])
  await own.round()
  expect(await own.states()).toEqual([`${DAY} signed`])
  expect(await ask()).toBe(false)
})

test('an attestation that is overdue is said after 36 hours', async () => {
  await using own = await start()
  await own.round()
  await own.makeFinal()
  await own.round()
  own.node.gasPrice = 10_000n * GWEI
  own.clock.set(after(`${DAY}T02:00:00Z`, 36 * HOUR_MS - 1))
  await own.round()
  expect(own.said('proof.overdue')).toBe(0)
  own.clock.advance(1)
  await own.round()
  expect(own.said('proof.overdue')).toBe(1)
})

describe('where several nodes have to agree', () => {
  test('nothing is signed before they do, and the operator reads why', async () => {
    await using own = await start()
    const round = attestRounds({ ...own.deps, agree: () => Promise.resolve(null) })
    await round()
    await round()
    expect(await own.states()).toEqual([])
    expect(own.reasons()).toEqual(['the nodes do not agree on the chain and the contract'])
    await own.round()
    expect(await own.states()).toEqual([`${DAY} signed`])
  })

  test('nothing is signed that most of them say the contract refuses', async () => {
    await using own = await start()
    const attest = { ...own.deps.attest, refusal: () => Promise.resolve('paused') }
    await attestRounds({ ...own.deps, agree: agreeAlone({ chain: own.deps.chain, attest }) })()
    expect(await own.states()).toEqual([])
  })

  test('what is signed neither counts as attested nor as failed before they do', async () => {
    await using own = await start()
    await own.round()
    await own.makeFinal()
    await attestRounds({ ...own.deps, agree: () => Promise.resolve(null) })()
    expect(await own.states()).toEqual([`${DAY} signed`])
    await own.round()
    expect(await own.states()).toEqual([`${DAY} attested`])
  })
})
