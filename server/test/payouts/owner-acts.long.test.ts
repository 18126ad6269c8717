import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { dayNumber } from '@candela/protocol/proof/sum-tree'
import { utcDay } from '@candela/protocol/calendar'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { createChainClient } from '@candela/server/chain/client'
import { fakeClock } from '@candela/server/kernel/clock'
import { must } from '@candela/server/kernel/assert'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators } from '@candela/server/operator/testing-operators'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { encodeFunctionData, getAddress, type Hex, keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

const DAY_S = 86_400
const newAccount = (): Hex => privateKeyToAddress(generatePrivateKey()).toLowerCase() as Hex

type Written = Record<'from' | 'to' | 'data', Hex> & {
  orFrom?: Hex
  value: string
  chainId: number
  call: string
  effect: string
  takesEffect: string
}
type Shown = Record<'what' | 'now' | 'announced' | 'from' | 'until' | 'command', string>

/** The operators' commands beside a contract of its own, whose owner is the first account of the chain. */
async function startActs() {
  const [payer, standbyPayer, attester] = [newAccount(), newAccount(), newAccount()]
  const [, guardian, stranger] = chain.payers.slice(0, 3) as [Hex, Hex, Hex]
  const cap = 1_000n * WHOLE
  const { gateway } = await chain.deployGateway({ payer, standbyPayer, attester, guardian, caps: [cap, cap, cap] })
  const database = await createTestDatabase()
  const clock = fakeClock()
  const client = createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient })
  const operators = await startOperators(database.url, clock, {
    openChain: () =>
      Promise.resolve({
        client,
        gateway,
        hash: chain.hash,
        assets: () => assetsByAddress(chain),
        signer: () => Promise.reject(new Error('signs nothing')),
      }),
  })
  const read = client.readContract
  const contract = { abi: paymentGatewayAbi, address: gateway } as const
  /** Signs and sends what a command has written, as the owner's wallet does. */
  const send = async (written: Written): Promise<Written> => {
    expect(written).toMatchObject({ to: getAddress(gateway), value: '0', chainId: CHAIN_ID })
    await chain.mined(await chain.send(written.from, written.to, written.data))
    return written
  }
  const sendBy = async (from: Hex, data: Hex) => chain.mined(await chain.send(from, gateway, data))
  const show = async (what: string): Promise<Shown> => {
    const lines = await operators.give<Shown[]>('ada', 'contract', 'show')
    return must(
      lines.find((line) => line.what === what),
      `${what} is shown`,
    )
  }
  const one = (...words: string[]) => operators.give<Written>('ada', 'contract', ...words)
  const two = (...words: string[]) => operators.both<Written>('contract', ...words)
  const pass = async (days: number) => {
    await chain.client.increaseTime({ seconds: days * DAY_S })
    await chain.mine()
  }
  return {
    gateway,
    payer,
    standbyPayer,
    attester,
    guardian,
    stranger,
    operators,
    read,
    contract,
    db: database.db,
    send,
    sendBy,
    show,
    one,
    two,
    pass,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a payer is replaced by the standby at once, and another one after its notice; two name it, and one switches', async () => {
  await using acts = await startActs()
  const { payer, standbyPayer, gateway, send, show, one, two, pass } = acts
  expect(await show('payer')).toMatchObject({
    now: getAddress(payer),
    announced: `standby ${getAddress(standbyPayer)}`,
  })
  // Named by the deployment, and by no command.
  expect(await show('payer')).toMatchObject({ command: 'NONE', until: 'no end' })
  const switched = await send(await one('switch', 'payer'))
  expect(switched).toMatchObject({ call: 'switchToStandby(0)', takesEffect: 'at once, in its block' })
  expect(switched.from).toBe(getAddress(chain.deployer))
  expect(switched.effect).toContain(getAddress(standbyPayer))
  expect(await show('payer')).toMatchObject({ now: getAddress(standbyPayer), announced: '-' })
  await expect(one('switch', 'payer')).rejects.toThrow('has no standby')

  const next = newAccount()
  const [letter = ''] = /[a-fA-F](?=[^a-fA-F]*$)/.exec(getAddress(next)) ?? []
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  const mistyped = getAddress(next).replace(/[a-fA-F](?=[^a-fA-F]*$)/, other)
  await expect(one('standby', 'payer', mistyped)).rejects.toThrow('mistyped')
  await expect(one('standby', 'payer', standbyPayer)).rejects.toThrow('has another role')
  await expect(one('standby', 'payer', gateway.slice(0, 20))).rejects.toThrow('not an address')
  await expect(one('standby', 'payer', `0x${'00'.repeat(20)}`)).rejects.toThrow('take-back')
  // One alone gets no transaction.
  expect(await one('standby', 'payer', next)).not.toHaveProperty('data')
  const named = await send(await acts.operators.give<Written>('bob', 'contract', 'standby', 'payer', next))
  expect(named).toMatchObject({
    call: `nameStandby(0, ${getAddress(next)})`,
    takesEffect: expect.stringMatching(/^7 days/),
  })
  expect(await show('payer')).toMatchObject({
    announced: `standby ${getAddress(next)}`,
    command: expect.stringMatching(/^bob /),
  })
  const { from } = await show('payer')
  await expect(one('switch', 'payer')).rejects.toThrow(`not before ${from}`)
  await pass(7)
  await send(await one('switch', 'payer'))
  expect((await acts.read({ ...acts.contract, functionName: 'payer' })).toLowerCase()).toBe(next)
  await send(await one('remove-payer'))
  expect(await show('payer')).toMatchObject({ now: 'nobody' })
  await send(await two('standby', 'attester', payer))
  await send(await one('take-back', 'standby:attester'))
  expect(await show('attester')).toMatchObject({ announced: '-' })
})

test('caps are lowered at once and raised after their notice; what no command has announced is seen and taken back', async () => {
  await using acts = await startActs()
  const { send, sendBy, show, one, two, pass } = acts
  const capOf = (address: Hex) => acts.read({ ...acts.contract, functionName: 'dailyCap', args: [address] })
  await expect(one('lower-cap', 'USDT', '1001')).rejects.toThrow('announce a higher one')
  await send(await one('lower-cap', 'USDT', '400.50'))
  expect(await capOf(chain.usdt)).toBe(4_005n * (WHOLE / 10n))
  await expect(one('announce-cap', 'USDT', '300')).rejects.toThrow('needs no notice')
  await expect(one('announce-cap', 'USDT', '30000000000000000')).rejects.toThrow('more than the contract can hold')
  await expect(one('announce-cap', 'DOGE', '300')).rejects.toThrow('no asset')
  await expect(one('raise-cap', 'USDT')).rejects.toThrow('nothing of that is announced')
  await send(await two('announce-cap', 'USDT', '5000.0'))
  const announced = await show('cap of USDT')
  expect(announced).toMatchObject({
    now: '400.5, of which 400.5 now',
    announced: '5000',
    command: expect.stringMatching(/^bob /),
  })
  await expect(two('raise-cap', 'USDT')).rejects.toThrow(`not before ${announced.from}`)
  await pass(7)
  await send(await two('raise-cap', 'USDT'))
  expect(await capOf(chain.usdt)).toBe(5_000n * WHOLE)

  // A thief with the owner's key announces, and forgets.
  const thief = encodeFunctionData({
    abi: paymentGatewayAbi,
    functionName: 'announceRaise',
    args: [chain.hash, 9_999n * WHOLE],
  })
  await sendBy(chain.deployer, thief)
  expect(await show('cap of HASH')).toMatchObject({ announced: '9999', command: 'NONE' })
  expect((await send(await one('take-back', 'cap:HASH'))).effect).toContain('9999 HASH')
  expect(await show('cap of HASH')).toMatchObject({ announced: '-' })
  await expect(one('take-back', 'cap:HASH')).rejects.toThrow('nothing of that is announced')
  await send(await two('announce-cap', 'JU', '2000'))
  await pass(38)
  await expect(two('raise-cap', 'JU')).rejects.toThrow('announce it again')
})

test('the guardian or the owner pauses and two let it go on; surplus is taken and the owner replaced after a notice', async () => {
  await using acts = await startActs()
  const { guardian, stranger, send, sendBy, show, one, two, pass } = acts
  await expect(two('unpause')).rejects.toThrow('is not paused')
  const paused = await one('pause')
  expect(paused).toMatchObject({ from: getAddress(guardian), orFrom: getAddress(chain.deployer) })
  await send(paused)
  expect(await show('payments out')).toMatchObject({ now: 'paused' })
  await expect(one('pause')).rejects.toThrow('paused already')
  await send(await two('unpause'))
  expect(await show('payments out')).toMatchObject({ now: 'go on' })
  await send(await one('take-back', 'guardian'))
  expect(await show('guardian')).toMatchObject({ now: 'nobody' })
  expect((await one('pause')).from).toBe(getAddress(chain.deployer))
  await send(await two('guardian', newAccount()))

  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [acts.gateway, 50n * WHOLE] } as const
  await chain.mined(await chain.send(chain.deployer, chain.usdt, encodeFunctionData(transfer)))
  const to = newAccount()
  await send(await two('announce-taking', 'USDT', '40', '--to', to))
  expect(await show('taking of USDT')).toMatchObject({
    announced: `40 to ${getAddress(to)}`,
    command: expect.stringMatching(/^bob /),
  })
  await pass(7)
  await expect(two('take', 'USDT')).rejects.toThrow('a day has to be attested after')
  const { timestamp } = await chain.client.getBlock()
  const day = dayNumber(utcDay(new Date(Number(timestamp) * 1_000)))
  const args = [BigInt(day), keccak256('0x01'), [0n, 0n, 0n], chain.hash, 1n, 0n, 0n] as const
  await chain.client.setBalance({ address: acts.attester, value: WHOLE })
  await chain.client.impersonateAccount({ address: acts.attester })
  await sendBy(acts.attester, encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'attest', args }))
  await send(await two('take', 'USDT'))
  expect(await show('last attestation')).not.toMatchObject({ now: 'none' })
  await send(await two('announce-taking', 'JU', '1', '--to', to))
  await send(await one('take-back', 'taking:JU'))

  await expect(two('accept-ownership')).rejects.toThrow('nobody is named')
  await send(await two('announce-owner', stranger))
  expect(await show('owner')).toMatchObject({
    announced: getAddress(stranger),
    command: expect.stringMatching(/^bob /),
  })
  await expect(two('accept-ownership')).rejects.toThrow('not before')
  await pass(7)
  expect(await send(await two('accept-ownership'))).toMatchObject({ from: getAddress(stranger) })
  expect(await show('owner')).toMatchObject({ now: getAddress(stranger), announced: '-' })
  // The new owner's wallet is asked from then on.
  expect((await one('lower-cap', 'JU', '1')).from).toBe(getAddress(stranger))
  await send(await two('announce-owner', chain.deployer))
  await send(await one('take-back', 'owner'))
})

test('a trial writes the transaction and nothing down; each act needs who the table says', async () => {
  await using acts = await startActs()
  const signed = () => acts.db.selectFrom('operator_audit').select('id').where('signature', 'is not', null).execute()
  const before = (await signed()).length
  const tried = await acts.operators.give<{ operatorsNeeded: number; result: Written }>(
    'ada',
    '--dry-run',
    'contract',
    'announce-cap',
    'JU',
    '2000',
  )
  expect(tried).toMatchObject({ operatorsNeeded: 2, result: { call: expect.stringMatching(/^announceRaise\(/) } })
  expect(await signed()).toHaveLength(before)
  expect(await acts.show('cap of JU')).toMatchObject({ announced: '-' })
  // Each of the contract's functions is an act of its owner or has another sender; another token or router is another deployment.
  const others = ['attest', 'claim', 'enterExit', 'pay', 'payBatch', 'recharge', 'renounceOwnership']
  const withoutCommand = ['setSubcoin', 'setSwapRouter']
  const functions = paymentGatewayAbi.flatMap((each) =>
    each.type === 'function' && each.stateMutability !== 'view' && each.stateMutability !== 'pure' ? [each.name] : [],
  )
  const ownerActs = functions.filter((name) => ![...others, ...withoutCommand].includes(name))
  const source = await readFile(
    join(import.meta.dirname, '../../src/operator/commands/contract/contract-commands.ts'),
    'utf8',
  )
  expect(ownerActs).toHaveLength(13)
  for (const name of ownerActs) expect(source).toContain(`functionName: '${name}'`)
})

test('another token than that of the settings is shown', async () => {
  await using acts = await startActs()
  expect(await acts.show('token of HASH')).toMatchObject({ now: getAddress(chain.hash) })
  const other = chain.wju
  await acts.sendBy(
    chain.deployer,
    encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'setSubcoin', args: [other] }),
  )
  expect((await acts.show('token of HASH')).now).toMatch(/^0x.* and not HASH_ADDRESS$/)
})
