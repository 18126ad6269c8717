import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays } from '@candela/protocol/calendar'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { assetCodes } from '@candela/protocol/money/assets'
import { addSums, fromHex, noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import { proofOf, type TestLeaf } from '@candela/protocol/proof/testing'
import { type Abi, decodeEventLog, decodeFunctionResult, encodeFunctionData, type Hex, type RpcLog } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { type Random, seededRandom } from '../run/random.ts'
import { EXIT_DELAY_S, NOTICE_S, provedLeaf, type ProvedLeaf, SHARING_DELAY_S } from './attested-state.ts'
import { addressOf, type Call, type ModelContracts } from './calls.ts'
import { type ChainModel, hashOf, type ModelTransaction } from './chain-model.ts'
import { contractWallets, modelOf, realBalance, realCall } from './testing-contracts.ts'

const WHOLE = 10n ** 18n
const CAP = 40n * WHOLE
const DAY_S = 86_400
const abi: Abi = paymentGatewayAbi

let real: TestChain
beforeAll(async () => {
  real = await startTestChain()
})
afterAll(() => real.stop())

/** A tree that is attested, or could be. */
type Tree = { call: Extract<Call, { do: 'attest' }>; proofs: ProvedLeaf[] }

/** Both chains, with the sends of one block. */
class Both {
  readonly contracts: ModelContracts
  readonly model: ChainModel
  readonly random: Random
  /** Members' wallets, of which some are contracts. */
  readonly members: Hex[]
  readonly stranger: Hex
  /** How often each call succeeded and was refused. */
  readonly outcomes = new Map<string, number>()
  tree: Tree | null = null
  private sent = 0
  private ids = 0

  constructor(contracts: ModelContracts, model: ChainModel, random: Random, people: [members: Hex[], stranger: Hex]) {
    this.contracts = contracts
    this.model = model
    this.random = random
    ;[this.members, this.stranger] = people
  }

  get now(): number {
    return this.model.head.timestamp
  }

  nextId = (): Hex => hashOf(['payment', this.ids++])

  /** Mines one block with these calls on both chains, and compares all that it changed. */
  async block(at: number, calls: readonly (readonly [Hex, Call])[]): Promise<boolean[]> {
    const hashes: Hex[] = []
    const wanted: ModelTransaction[] = []
    for (const [from, call] of calls) {
      const { to, data, value } = realCall(call, this.contracts)
      hashes.push(await real.send(from, to, data, value))
      const nonce = this.model.head.state.nonce(from) + wanted.filter((other) => other.from === from).length
      const hash = hashOf(['transaction', this.sent++])
      wanted.push({ hash, from, nonce, gasPrice: 10n ** 9n, gas: 100_000n, call })
    }
    await real.client.setNextBlockTimestamp({ timestamp: BigInt(at) })
    await real.client.mine({ blocks: 1 })
    const modelled = this.model.mine(at, wanted)
    const block = await real.client.getBlock()
    expect([Number(block.number), Number(block.timestamp)]).toEqual([modelled.number, at])
    const oks = []
    for (const one of hashes) oks.push((await real.client.getTransactionReceipt({ hash: one })).status === 'success')
    const done = modelled.receipts.map(({ ok, refusal }, index) => ({ call: calls[index]?.[1].do, ok, refusal }))
    expect(
      done.map(({ ok }) => ok),
      JSON.stringify(done),
    ).toEqual(oks)
    for (const { call, ok, refusal } of done) {
      const key = `${call} ${ok ? 'done' : refusal}`
      this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1)
    }
    const logs = await real.client.request<{ Method: 'eth_getLogs'; Parameters: unknown[]; ReturnType: RpcLog[] }>({
      method: 'eth_getLogs',
      params: [{ blockHash: block.hash }],
    })
    expect(modelled.logs.map(readable)).toEqual(logs.map(readable))
    await this.compareState()
    return oks
  }

  private async compareState(): Promise<void> {
    const { gateway } = this.contracts
    const { state } = this.model.head
    for (const asset of assetCodes) {
      // The members' money for gas differs between both chains.
      const accounts = asset === 'JU' ? [gateway, ...contractWallets] : [gateway, ...this.members, this.stranger]
      for (const account of accounts) {
        expect([asset, account, state.balance(asset, account)]).toEqual([
          asset,
          account,
          await realBalance(real, asset, account),
        ])
      }
    }
    const questions = [
      ...(['lastAttestation', 'exitedAt', 'sharedAtExit'] as const).map((functionName) => ({
        functionName,
        args: [] as readonly unknown[],
      })),
      ...assetCodes.flatMap((asset) => [
        { functionName: 'announcedTaking', args: [addressOf(this.contracts, asset)] },
        { functionName: 'leftOfCap', args: [addressOf(this.contracts, asset)] },
        ...this.members.map((to) => ({ functionName: 'paidSince', args: [addressOf(this.contracts, asset), to] })),
      ]),
      ...this.members.map((member) => ({ functionName: 'isClaimed', args: [member] })),
      ...this.members.map((member) => ({ functionName: 'isClaimedAgain', args: [member] })),
      ...(this.tree?.proofs ?? []).map(({ member, owed }) => ({ functionName: 'claimable', args: [member, owed] })),
    ]
    const compare = async ({ functionName, args }: (typeof questions)[number]) => {
      const data = encodeFunctionData({ abi, functionName, args })
      const answer = await real.client.call({ to: gateway, data })
      const [modelled, said] = [state.view({ to: gateway, data }, this.model.head), answer.data ?? '0x'].map((bytes) =>
        decodeFunctionResult({ abi, functionName, data: bytes }),
      )
      expect([functionName, args, modelled]).toEqual([functionName, args, said])
    }
    await Promise.all(questions.map(compare))
  }

  /** A tree of the members and of padding for today, as of the block before. */
  newTree(): Tree {
    const { random } = this
    const day = addDays('1970-01-01', Math.floor(this.now / DAY_S))
    const leaves: TestLeaf[] = this.members.map((member, index) => ({
      member,
      owed: [this.amount(60), this.amount(60), this.amount(3)] as Sums,
      salt: fromHex(hashOf(['salt', day, index])),
    }))
    while (leaves.length < 8) {
      leaves.push({ member: `0x${'0'.repeat(40)}`, owed: noSums, salt: fromHex(hashOf(['pad', day, leaves.length])) })
    }
    const context = { chainId: CHAIN_ID, gateway: this.contracts.gateway, day }
    const proofs = this.members.map((_member, index) => provedLeaf(proofOf(leaves, index, context)))
    const root = proofOf(leaves, 0, context).root.hash as Hex
    const sums = leaves.reduce<Sums>((sum, { owed }) => addSums(sum, owed), noSums)
    const block = BigInt(this.model.head.number - random.below(2))
    const terms = { day: BigInt(Math.floor(this.now / DAY_S)), root, sums, subcoin: this.contracts.hash, leaves: 8n }
    const call = { do: 'attest' as const, ...terms, block }
    return { call: { ...call, sequence: BigInt(this.model.head.number) }, proofs }
  }

  amount = (limit: number): bigint => BigInt(this.random.below(limit)) * WHOLE + BigInt(this.random.below(9))

  /** Calls that go on while the service is there. */
  ordinary(): [Hex, Call] {
    const { random, contracts } = this
    const asset = random.pick(assetCodes)
    const amount = asset === 'JU' ? this.amount(3) : this.amount(20)
    const from = random.pick([this.stranger, ...this.members.slice(0, 2)])
    const recharge = { do: 'recharge' as const, key: 'deposit', asset, amount, customer: from, reference: '' }
    switch (random.weighted({ recharge: 6, native: 1, pay: 6, announce: 1, take: 2, exit: 1 })) {
      case 'recharge':
        return [from, recharge]
      case 'native':
        return [from, { do: 'native', amount: amount % WHOLE }]
      case 'pay':
        return [contracts.payer, { do: 'pay', id: this.nextId(), asset, to: random.pick(this.members), amount }]
      case 'announce': {
        const to = random.pick([...this.members, contracts.gateway])
        return [random.chance(0.9) ? contracts.owner : from, { do: 'announceTaking', asset, to, amount }]
      }
      case 'take':
        return [random.chance(0.9) ? contracts.owner : from, { do: 'take', asset }]
      case 'exit':
        break
    }
    return [from, { do: 'enterExit' }]
  }

  /** An attestation, mostly one that the contract takes; then the tree is kept. */
  async attest(at: number): Promise<void> {
    const { random, contracts } = this
    await this.block(at, [])
    const tree = this.newTree()
    const { call } = tree
    const wrong: Partial<Tree['call']>[] = [
      { day: call.day + 1n },
      { day: call.day - 40n },
      { root: `0x${'0'.repeat(64)}` },
      { leaves: 7n },
      { leaves: 0n },
      { leaves: 1n << 33n },
      { block: call.block + 5n },
    ]
    const bad = random.pick(wrong)
    await this.block(at + 1, [
      [contracts.attester, { ...call, ...bad }],
      [this.stranger, call],
    ])
    const [isDone] = await this.block(at + 2, [[contracts.attester, call]])
    if (isDone === true) this.tree = tree
  }

  /** Claims, right and wrong, and what exit mode refuses. */
  afterExit(): [Hex, Call] {
    const { random } = this
    const proof = random.pick(this.tree?.proofs ?? [])
    const other = random.pick(this.members.filter((member) => member !== proof.member))
    const altered: ProvedLeaf[] = [
      { ...proof, member: other },
      { ...proof, owed: [proof.owed[0] + 1n, proof.owed[1], proof.owed[2]] },
      { ...proof, position: proof.position ^ 1n },
      { ...proof, position: proof.position + 8n },
      { ...proof, salt: hashOf(['other salt']) },
      { ...proof, path: proof.path.slice(1) },
      { ...proof, path: proof.path.map(({ hash, sums }) => ({ hash, sums: [sums[0], sums[1] + 1n, sums[2]] })) },
      { ...proof, path: proof.path.map(({ hash }) => ({ hash, sums: [(1n << 128n) - 1n, 0n, 0n] })) },
    ]
    if (random.chance(0.2))
      return random.chance(0.5) && this.tree !== null ? [this.contracts.attester, this.tree.call] : this.ordinary()
    return [this.stranger, { do: 'claim', proof: random.chance(0.25) ? random.pick(altered) : proof }]
  }

  blockOf = (count: number, draw: () => [Hex, Call]): [Hex, Call][] =>
    Array.from({ length: 1 + this.random.below(count) }, draw)
}

const readable = (log: RpcLog) => {
  try {
    return { address: log.address, ...decodeEventLog({ abi, topics: log.topics, data: log.data }) }
  } catch {
    return { address: log.address, topics: log.topics, data: log.data }
  }
}

/** From the first payment to the last claim, with everything that is refused on the way. */
async function scenario(seed: number, outcomes: Map<string, number>): Promise<void> {
  const random = seededRandom(seed)
  const [alice, bob, carol, stranger, payer, attester] = real.payers as readonly [Hex, Hex, Hex, Hex, Hex, Hex]
  const people = [alice, bob, carol, stranger, payer, real.deployer]
  const { contracts, chain } = await modelOf(real, { payer, attester, cap: CAP }, people)
  const both = new Both(contracts, chain, random, [[alice, bob, carol, ...contractWallets], stranger])
  await both.block(both.now + 10, [[stranger, { do: 'enterExit' }]])
  const deposit = { do: 'recharge' as const, key: 'deposit', asset: 'USDT' as const, customer: stranger, reference: '' }
  // In every other run the contract has more USDT than is owed, so that the owner has something to take.
  await both.block(both.now + 10, [[stranger, { ...deposit, amount: (seed % 2 === 0 ? 1_000n : 40n) * WHOLE }]])
  const taking = { do: 'announceTaking' as const, asset: 'USDT' as const, to: carol, amount: 3n * WHOLE }
  await both.block(both.now + 10, [[contracts.owner, taking]])
  for (let round = 0; round < 3; round += 1) {
    const pause_s = random.pick([60, DAY_S])
    await both.block(
      both.now + pause_s,
      both.blockOf(4, () => both.ordinary()),
    )
    await both.attest(both.now + DAY_S)
    await both.block(
      both.now + 60,
      both.blockOf(4, () => both.ordinary()),
    )
  }
  await both.attest(both.now + NOTICE_S)
  await both.block(both.now + 60, [[contracts.owner, { do: 'take', asset: 'USDT' }]])
  await both.attest(both.now + DAY_S)
  const pay = (to: Hex): [Hex, Call] => [payer, { do: 'pay', id: both.nextId(), asset: 'USDT', to, amount: 2n * WHOLE }]
  await both.block(both.now + 60, [pay(alice), pay(bob), pay(contractWallets[0] as Hex)])
  const exitFrom = chain.head.state.attested.last.attestedAt + EXIT_DELAY_S + 1
  await both.block(exitFrom - 1, [[stranger, { do: 'enterExit' }]])
  await both.block(exitFrom, [[stranger, { do: 'enterExit' }]])
  for (let round = 0; round < 4; round += 1)
    await both.block(
      both.now + 60,
      both.blockOf(5, () => both.afterExit()),
    )
  for (const proof of both.tree?.proofs ?? []) {
    if (random.chance(0.7)) await both.block(both.now + 1, [[alice, { do: 'claim', proof }]])
  }
  const year = exitFrom + SHARING_DELAY_S
  await both.block(year - 1, [both.afterExit(), [alice, { do: 'enterExit' }]])
  for (let round = 0; round < 4; round += 1)
    await both.block(
      year + round,
      both.blockOf(5, () => both.afterExit()),
    )
  for (const proof of both.tree?.proofs ?? []) await both.block(both.now + 1, [[alice, { do: 'claim', proof }]])
  for (const [key, count] of both.outcomes) outcomes.set(key, (outcomes.get(key) ?? 0) + count)
}

test('attestations, taking, exit and claims do in the model what they do in the contract', async () => {
  const outcomes = new Map<string, number>()
  for (let seed = 1; seed <= 4; seed += 1) {
    const id = await real.client.snapshot()
    await scenario(seed, outcomes)
    await real.client.revert({ id })
  }
  // Each of these must have happened for the comparison to mean something.
  const wanted = {
    attest: ['done', 'BadDay', 'NotAttester', 'InExit'],
    enterExit: ['done', 'TooEarly', 'InExit'],
    claim: ['done', 'NotInTree', 'NothingToClaim'],
    announceTaking: ['done'],
    take: ['done', 'NothingAnnounced'],
    pay: ['InExit'],
    recharge: ['InExit'],
  }
  const missing = Object.entries(wanted).flatMap(([call, ends]) =>
    ends.map((end) => `${call} ${end}`).filter((key) => !outcomes.has(key)),
  )
  expect(missing).toEqual([])
})
