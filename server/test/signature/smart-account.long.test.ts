import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { auditLedger } from '@candela/server/ledger/audit'
import { WHOLE } from '@candela/server/modules/power/testing'
import { concatHex, type Hex, serializeErc6492Signature, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BURNS_ALL, hostileCodes, looksElsewhere, SAYS_YES_ONCE_POKED } from './hostile-wallets.ts'
import {
  type Account,
  addressOf,
  keyHolder,
  type SmartAccountScenario,
  startSmartAccountScenario,
  type Way,
} from './smart-account-scenario.ts'

const [ada, grace, mallory] = [keyHolder(1), keyHolder(2), keyHolder(3)]
const INVITED = { code: 'CANDELA1' }

let scenario: SmartAccountScenario
beforeAll(async () => {
  scenario = await startSmartAccountScenario()
})
afterAll(() => scenario[Symbol.asyncDispose]())

async function messageFor(way: Way, address?: Hex): Promise<string> {
  const { data } = await scenario.callBy(way)('GET auth/loginMessage', address === undefined ? {} : { address })
  return data?.message ?? ''
}

/** Ends a signature that is wrapped by EIP-6492. */
const MARK: Hex = `0x${'6492'.repeat(16)}`

type Login = { by: HDAccount; message?: string; wrap?: (signature: Hex) => Hex; fields?: Record<string, string> }

/** Signs in as an address with somebody's signature. */
async function logIn(way: Way, address: Hex, { by, message, wrap, fields }: Login) {
  const text = message ?? (await messageFor(way, address))
  const signature = await by.signMessage({ message: text })
  const sign_message = wrap?.(signature) ?? signature
  return scenario.callBy(way)('POST auth/login', { address, message: text, sign_message, ...fields })
}

const codeOfLogin = async (...login: Parameters<typeof logIn>): Promise<number> => (await logIn(...login)).code

/** As a wallet signs that is not deployed yet. */
const wrappedFor =
  ({ factory, factoryData }: Pick<Account, 'factory' | 'factoryData'>) =>
  (signature: Hex): Hex =>
    serializeErc6492Signature({ address: factory, data: factoryData, signature })

async function deployedAccount(owner: HDAccount): Promise<Account> {
  const account = await scenario.accountOf(owner)
  await scenario.deploy(account)
  return account
}

const sessionsOf = async (way: Way, token: string | undefined) =>
  (await scenario.callBy(way)('GET auth/sessions', {}, token)).data?.items

/** The most of the node's time that one signature may burn. */
const SIGNATURE_GAS = toHex(10_000_000)

/** Lists what the server had the node run of a contract, after its first so many requests. */
const callsOf = (address: Hex, after = 0) =>
  scenario.node.asked
    .slice(after)
    .filter(({ method }) => method === 'eth_call')
    .map(({ params }) => params[0] as { to?: Hex; gas?: Hex })
    .filter(({ to }) => to === address)

const isMember = async (address: Hex): Promise<boolean> =>
  (await scenario.db.selectFrom('member').select('id').where('address', '=', address).executeTakeFirst()) !== undefined

describe.each(['plain', 'enveloped'] as const)('an account that is a contract, %s,', (way) => {
  test('signs in by its owner’s key: invited the first time, and known after (EIP-1271)', async () => {
    const account = await deployedAccount(ada)
    const message = await messageFor(way, account.address)
    expect(await codeOfLogin(way, account.address, { by: ada, message })).toBe(4002)
    expect(await codeOfLogin(way, account.address, { by: ada, message, fields: { code: 'NOBODY99' } })).toBe(4003)
    const first = await logIn(way, account.address, { by: ada, message, fields: INVITED })
    expect(first).toMatchObject({ code: 200, data: { token: expect.stringMatching(/^[\w-]{43}$/) as unknown } })
    // Used up, as every message is that signed somebody in.
    expect(await codeOfLogin(way, account.address, { by: ada, message })).toBe(4004)
    const again = await logIn(way, account.address, { by: ada })
    expect(await sessionsOf(way, again.data?.token)).toMatchObject([{ current: true }, { current: false }])
    const info = await scenario.callBy(way)('GET user/info', {}, first.data?.token)
    expect(info.data).toMatchObject({ address: account.address })
  })

  test('signs in before it is deployed (EIP-6492), which deploys nothing, and by the contract afterwards', async () => {
    const account = await scenario.accountOf(ada)
    const wrap = wrappedFor(account)
    const before = scenario.node.asked.length
    const first = await logIn(way, account.address, { by: ada, wrap, fields: INVITED })
    expect(first.code).toBe(200)
    expect(await scenario.hasCode(account.address)).toBe(false)
    expect(scenario.node.asked.slice(before).map(({ method }) => method)).not.toContain('eth_sendRawTransaction')
    await scenario.deploy(account)
    expect(await scenario.hasCode(account.address)).toBe(true)
    const second = await logIn(way, account.address, { by: ada })
    expect(second.code).toBe(200)
    // Some wallets go on wrapping.
    const third = await logIn(way, account.address, { by: ada, wrap })
    expect(third.code).toBe(200)
    expect(await sessionsOf(way, first.data?.token)).toHaveLength(3)
    expect(await codeOfLogin(way, account.address, { by: ada })).toBe(4001)
    expect(await codeOfLogin(way, account.address, { by: ada, fields: { replace: '1' } })).toBe(200)
    expect(await sessionsOf(way, first.data?.token)).toBeUndefined()
  })

  test('lists its devices, is quoted a withdrawal to itself, and transfers by its owner’s signature', async () => {
    const [account, other] = [await deployedAccount(ada), await deployedAccount(ada)]
    const token = (await logIn(way, account.address, { by: ada, fields: INVITED })).data?.token ?? ''
    await logIn(way, other.address, { by: ada, fields: INVITED })
    await scenario.fund(account.address)
    const call = scenario.callBy(way)
    const quote = await call('GET withdraw/quote', { asset: 'USDT', amount: '25' }, token)
    expect(quote).toMatchObject({ code: 200, data: { available: '1000', to: account.address } })

    const terms = {
      from: account.address,
      to: other.address,
      asset: 'USDT' as const,
      amount: 125n * WHOLE,
      requestId: requestIdNamed(`smart-account-${way}`, new Date()),
      deadline: new Date(Date.now() + 5 * 60_000),
    }
    const signedBy = (by: HDAccount, signed = terms) =>
      by.signTypedData(transferTypedData(signed, scenario.chain.gateway))
    const sendWith = async (signature: Hex) => {
      const { to, asset, requestId } = terms
      const fields = { to, asset, requestId, amount: '125', deadline: terms.deadline.toISOString(), signature }
      return call('POST transfer/index', fields, token)
    }
    expect((await sendWith(await signedBy(mallory))).code).toBe(4005)
    // The same owner’s signature for the other account’s money.
    expect((await sendWith(await signedBy(ada, { ...terms, from: other.address }))).code).toBe(4005)
    expect(await sendWith(await signedBy(ada))).toMatchObject({ code: 200, data: { transfer: { amount: '125' } } })
    expect((await call('GET withdraw/quote', { asset: 'USDT' }, token)).data?.available).toBe('875')
    expect(await auditLedger(scenario.db)).toEqual([])
    expect((await call('POST auth/logout', {}, token)).code).toBe(200)
    expect((await call('GET auth/sessions', {}, token)).code).toBe(401)
  })
})

const inMinutes = (count: number) => new Date(Date.now() + count * 60_000)

test('its session is prolonged by reading, and ended by nobody else', async () => {
  const [account, other] = [await deployedAccount(ada), await deployedAccount(grace)]
  const token = (await logIn('plain', account.address, { by: ada, fields: INVITED })).data?.token ?? ''
  const others = (await logIn('plain', other.address, { by: grace, fields: INVITED })).data?.token ?? ''
  const [session] = (await sessionsOf('plain', token)) ?? []
  const id = session?.id ?? ''
  await scenario.db
    .updateTable('session')
    .set({ seen_at: inMinutes(-6), expires_at: inMinutes(1) })
    .where('id', '=', id)
    .execute()
  const call = scenario.callBy('enveloped')
  expect((await call('POST auth/revoke', { id }, others)).code).toBe(404)
  expect((await call('POST auth/revoke', { others: '1' }, others)).data).toEqual({ ended: 0 })
  expect((await call('GET user/info', {}, token)).code).toBe(200)
  const { expires_at } = await scenario.db
    .selectFrom('session')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(expires_at.getTime()).toBeGreaterThan(inMinutes(7 * 24 * 60 - 1).getTime())
})

describe('refused is', () => {
  test('every signature but the owner’s over this very message, deployed or not', async () => {
    const deployed = await deployedAccount(ada)
    const coming = await scenario.accountOf(ada)
    const graces = await scenario.accountOf(grace)
    const wrap = wrappedFor(coming)
    const attempts: [string, Hex, Login][] = [
      ['a wrong owner', deployed.address, { by: mallory }],
      ['a wrong owner, wrapped', deployed.address, { by: mallory, wrap: wrappedFor(deployed) }],
      ['a wrong owner before the deployment', coming.address, { by: mallory, wrap }],
      ['no word of how to deploy it', coming.address, { by: ada }],
      ['a factory that makes another account', coming.address, { by: ada, wrap: wrappedFor(graces) }],
      ['a factory that is none', coming.address, { by: ada, wrap: wrappedFor({ ...coming, factory: ada.address }) }],
      [
        'a factory that reverts',
        coming.address,
        { by: ada, wrap: wrappedFor({ ...coming, factoryData: '0x12345678' }) },
      ],
      ['nothing but the mark of EIP-6492', coming.address, { by: ada, wrap: () => MARK }],
      ['garbage before that mark', coming.address, { by: ada, wrap: () => concatHex([`0x${'fe'.repeat(300)}`, MARK]) }],
      ['one wrapped twice', coming.address, { by: ada, wrap: (signature) => wrap(wrap(signature)) }],
      ['one byte', deployed.address, { by: ada, wrap: () => '0x01' }],
      ['8 KiB', deployed.address, { by: ada, wrap: (signature) => concatHex([signature, `0x${'00'.repeat(8_000)}`]) }],
      ['a plain key’s, wrapped for somebody without a contract', addressOf(grace), { by: ada, wrap }],
    ]
    for (const [what, address, login] of attempts) {
      expect(await codeOfLogin('plain', address, { ...login, fields: INVITED }), what).toBe(4005)
    }
    for (const { address } of [deployed, coming]) expect(await isMember(address)).toBe(false)
    expect(scenario.errors).toEqual([])
  })

  test('whatever a contract answers but the magic value: after one call of limited gas, and as a wrong signature', async () => {
    const heard: string[] = []
    const stranger = createServer((request, response) => {
      heard.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
    try {
      const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/{sender}/{data}`
      // Every caller is heard.
      await fetch(url)
      expect(heard.splice(0)).toHaveLength(1)
      for (const [what, code] of [...hostileCodes, ['asks us to fetch something', looksElsewhere(url)] as const]) {
        const address = await scenario.deployCode(code)
        const before = scenario.node.asked.length
        expect(await codeOfLogin('enveloped', address, { by: ada, fields: INVITED }), what).toBe(4005)
        // How long it may take us is a matter of its gas alone.
        expect(callsOf(address, before), what).toMatchObject([{ gas: SIGNATURE_GAS }])
        expect(await isMember(address)).toBe(false)
      }
      expect(heard).toEqual([])
    } finally {
      await new Promise((closed) => stranger.close(closed))
    }
    const { gateway, usdt, wju } = scenario.chain
    // The last one returns what it is called with, which begins with the magic value.
    const neverWallets = [gateway, usdt, wju, `0x${'00'.repeat(19)}04`] as const
    for (const address of neverWallets) {
      const wrap = wrappedFor(await scenario.accountOf(ada))
      expect(await codeOfLogin('plain', address, { by: ada, fields: INVITED }), address).toBe(4005)
      expect(await codeOfLogin('plain', address, { by: ada, wrap, fields: INVITED }), address).toBe(4005)
    }
    expect(scenario.errors).toEqual([])
  })

  test('what somebody else could make a contract say: nothing is called before it is asked', async () => {
    const address = await scenario.deployCode(SAYS_YES_ONCE_POKED)
    // EIP-6492 lets a signature bring a call that is to come first, also for a contract that is there.
    const wrap = wrappedFor({ factory: address, factoryData: '0x12345678' })
    expect(await codeOfLogin('plain', address, { by: ada, wrap, fields: INVITED })).toBe(4005)
    const { chain } = scenario
    await chain.mined(await chain.send(chain.deployer, address, '0x12345678'))
    expect(await codeOfLogin('plain', address, { by: ada, wrap, fields: INVITED })).toBe(200)
  })

  test('what would burn the node’s time, while plain keys get in', async () => {
    const address = await scenario.deployCode(BURNS_ALL)
    const flood = Promise.all(Array.from({ length: 30 }, () => codeOfLogin('plain', address, { by: ada })))
    expect(await codeOfLogin('plain', addressOf(keyHolder(4)), { by: keyHolder(4), fields: INVITED })).toBe(200)
    expect(new Set(await flood)).toEqual(new Set([4005]))
    const calls = callsOf(address)
    expect(calls).toHaveLength(30)
    for (const call of calls) expect(call).toMatchObject({ gas: SIGNATURE_GAS })
  })

  test('the last owner, as soon as the account has another; the address stays the member', async () => {
    const account = await deployedAccount(ada)
    const token = (await logIn('plain', account.address, { by: ada, fields: INVITED })).data?.token
    const signedBefore = await messageFor('plain', account.address)
    await scenario.changeOwner(account, ada, grace)
    expect(await codeOfLogin('plain', account.address, { by: ada, message: signedBefore })).toBe(4005)
    expect(await codeOfLogin('plain', account.address, { by: grace, message: signedBefore })).toBe(200)
    // The session that the last owner left open is in the list, to be ended by the new one.
    expect(await sessionsOf('plain', token)).toHaveLength(2)
  })

  test('one account’s message for another of the same owner, or for the owner’s own address', async () => {
    const [first, second] = [await deployedAccount(ada), await deployedAccount(ada)]
    const named = await messageFor('plain', first.address)
    expect(await codeOfLogin('plain', second.address, { by: ada, message: named, fields: INVITED })).toBe(4005)
    expect(await codeOfLogin('plain', addressOf(ada), { by: ada, message: named, fields: INVITED })).toBe(4005)
    const owners = await messageFor('plain', addressOf(ada))
    expect(await codeOfLogin('plain', first.address, { by: ada, message: owners, fields: INVITED })).toBe(4005)
    // A message that names nobody would do for both contracts, so it does for neither: only for the key itself.
    const nobodys = await messageFor('plain')
    for (const { address } of [first, second]) {
      expect(await codeOfLogin('plain', address, { by: ada, message: nobodys, fields: INVITED })).toBe(4005)
    }
    expect(await codeOfLogin('plain', addressOf(ada), { by: ada, message: nobodys, fields: INVITED })).toBe(200)
    expect(await codeOfLogin('plain', first.address, { by: ada, message: named, fields: INVITED })).toBe(200)
  })
})

test('while the node is away contracts are told 5032, plain keys get in, and the same signature works after', async () => {
  const account = await deployedAccount(ada)
  const message = await messageFor('plain', account.address)
  try {
    for (const trouble of ['cut', 'limited'] as const) {
      scenario.node.suffer(trouble)
      for (const way of ['plain', 'enveloped'] as const) {
        expect(await codeOfLogin(way, account.address, { by: ada, message, fields: INVITED }), trouble).toBe(5032)
      }
    }
    scenario.node.suffer('cut')
    expect(await codeOfLogin('plain', addressOf(keyHolder(5)), { by: keyHolder(5), fields: INVITED })).toBe(200)
  } finally {
    scenario.node.suffer('none')
  }
  expect(await codeOfLogin('plain', account.address, { by: ada, message, fields: INVITED })).toBe(200)
})
