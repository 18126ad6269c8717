import { startAnvil } from '@candela/testing/chain/anvil'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { endpoints } from '@candela/protocol/endpoints'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { createChainClient } from '@candela/server/chain/client'
import { patientClient, testNetwork } from '@candela/testing/chain/test-chain'
import { factoryInit, signAsWallet, walletInit } from '@candela/testing/wallets/contract-wallet'
import { must } from '@candela/server/kernel/assert'
import { addressOf, WHOLE } from '@candela/server/modules/power/testing'
import { listNotices } from '@candela/server/modules/notice/list-notices'
import { askContractOn } from '@candela/server/chain/signature/ask-contract'
import { readStatement } from '@candela/server/modules/statement/read-statement'
import {
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  padHex,
  serializeErc6492Signature,
  serializeSignature,
  parseSignature,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { type Asked, GATEWAY, startTransferScenario } from './transfers-scenario.ts'

describe('a transfer', () => {
  test('moves exactly what was signed, to an address or a UID, and both sides see it', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, send } = scenario
    const made = await send(alice, { amount: 12n * WHOLE + 5n })
    expect(made).toMatchObject({
      direction: 'out',
      asset: 'USDT',
      amount: '12.000000000000000005',
      fee: '0',
      counterparty: { uid: bob.uid, maskedAddress: `${bob.address.slice(0, 6)}…${bob.address.slice(-4)}` },
    })
    const byUid = await send(alice, { toText: bob.uid, asset: 'HASH', amount: 4n * WHOLE })
    expect(await scenario.available(alice)).toBe('987.999999999999999995')
    expect(await scenario.available(bob)).toBe('1012.000000000000000005')
    expect(await scenario.available(bob, 'HASH')).toBe('1004')
    const { items } = await scenario.list(bob)
    const counterparty = { uid: alice.uid, maskedAddress: `${alice.address.slice(0, 6)}…${alice.address.slice(-4)}` }
    expect(items).toEqual([
      { ...byUid, direction: 'in', counterparty },
      { ...made, direction: 'in', counterparty },
    ])
    expect((await scenario.list(alice)).items).toEqual([byUid, made])
    const reference = { type: 'transfer', no: byUid.transferNo }
    const { items: gave } = await readStatement(scenario.db, alice.id, { kinds: ['transfer'] }, 1)
    expect(gave).toMatchObject([{ amount: '-4', asset: 'HASH', reference, counterparty: byUid.counterparty }])
    const { items: got } = await readStatement(scenario.db, bob.id, { kinds: ['transfer'] }, 1)
    expect(got).toMatchObject([{ amount: '4', asset: 'HASH', reference, counterparty }])
    const told = await listNotices(scenario.db, bob.id, { cursor: undefined, limit: 10 })
    const received = { kind: 'transferReceived', params: { amount: '4', asset: 'HASH', fromUid: alice.uid } }
    expect(told.items).toContainEqual(
      expect.objectContaining({ ...received, params: expect.objectContaining(received.params) as unknown }),
    )
    await scenario.expectSound()
  })

  test('the journal keeps what was signed, so that the signature can be checked again', async () => {
    await using scenario = await startTransferScenario()
    const terms = scenario.termsOf(scenario.alice, {})
    const signature = await scenario.sign(scenario.alice, terms)
    await scenario.send(scenario.alice, { ...terms, signature })
    const { memo } = await scenario.db
      .selectFrom('ledger_posting')
      .select('memo')
      .where('kind', '=', 'transfer')
      .executeTakeFirstOrThrow()
    expect(memo).toMatchObject({
      from: terms.from,
      to: terms.to,
      requestId: terms.requestId,
      deadline: terms.deadline.toISOString(),
      signature,
    })
  })

  test('the list comes in pages without gaps', async () => {
    await using scenario = await startTransferScenario()
    for (let i = 1n; i <= 5n; i++) {
      await scenario.send(scenario.alice, { amount: i * WHOLE, asset: i % 2n === 0n ? 'JU' : 'USDT' })
    }
    const first = await scenario.list(scenario.alice, { limit: 2 })
    expect(first.nextCursor).toMatch(/^[A-Za-z0-9_-]{1,128}$/)
    const second = await scenario.list(scenario.alice, { limit: 2, cursor: first.nextCursor ?? '' })
    const third = await scenario.list(scenario.alice, { limit: 2, cursor: second.nextCursor ?? '' })
    const amounts = [first, second, third].flatMap(({ items }) => items.map(({ amount }) => amount))
    expect([amounts, third.nextCursor]).toEqual([['5', '4', '3', '2', '1'], null])
    expect(await scenario.list(scenario.carol)).toEqual({ items: [], nextCursor: null })
    await expect(scenario.list(scenario.alice, { cursor: 'nonsense' })).rejects.toMatchObject({ code: 400 })
  })

  test('a recipient is looked up before anything is signed', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, recipient } = scenario
    const found = { uid: bob.uid, address: bob.address, self: false }
    expect(await recipient(alice, bob.uid)).toEqual(found)
    expect(await recipient(alice, bob.address)).toEqual(found)
    expect(await recipient(alice, alice.uid)).toMatchObject({ self: true })
    for (const nobody of [addressOf(77), '99999999', '999999999999999999']) {
      await expect(recipient(alice, nobody)).rejects.toMatchObject({ code: 4205 })
    }
  })
})

describe('refused', () => {
  test('whatever differs from what was signed, each by its code, and nothing moves', async () => {
    await using scenario = await startTransferScenario()
    const { alice, bob, carol, send, sign, termsOf, clock } = scenario
    const terms = termsOf(alice, {})
    const signature = await sign(alice, terms)
    const refused: [string, Asked, number][] = [
      ['another amount', { amount: terms.amount + 1n }, 4005],
      ['another asset', { asset: 'HASH' }, 4005],
      ['another recipient', { to: carol.address }, 4005],
      ['another recipient by UID', { toText: carol.uid }, 4005],
      ['another request id', { requestId: requestIdNamed('another request', clock.now()) }, 4005],
      ['another deadline', { deadline: new Date(terms.deadline.getTime() + 1) }, 4005],
      ['a wrong signer', { signature: await sign(bob, terms) }, 4005],
      ['a wrong signer for their own account', { signature: await sign(bob, { ...terms, from: bob.address }) }, 4005],
      ['no signature to speak of', { signature: '0x00' }, 4005],
      ['one changed bit', { signature: flipBit(signature) }, 4005],
      ['oneself', { to: alice.address, signature: await sign(alice, { ...terms, to: alice.address }) }, 400],
      ['nobody', { to: addressOf(99) }, 4205],
    ]
    for (const [what, changed, code] of refused) {
      const outcome = send(alice, { ...terms, signature, ...changed })
      await expect(outcome, what).rejects.toMatchObject({ code })
    }
    // Bob's session with Alice's terms: his token does not make her signature his.
    await expect(send(bob, { ...terms, to: carol.address, signature })).rejects.toMatchObject({ code: 4005 })
    clock.set(terms.deadline)
    await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4207 })
    expect([await scenario.available(alice), await scenario.available(bob)]).toEqual(['1000', '1000'])
    expect(await scenario.db.selectFrom('request_log').select('request_key').execute()).toEqual([])
    await scenario.expectSound()
  })

  test('signatures for another chain, another contract or another kind of message are worth nothing', async () => {
    await using scenario = await startTransferScenario()
    const { alice, send, sign, termsOf } = scenario
    const terms = termsOf(alice, {})
    const data = transferTypedData(terms, GATEWAY)
    const strange = [
      await alice.account.signTypedData({ ...data, domain: { ...data.domain, chainId: 1 } }),
      await alice.account.signTypedData({ ...data, domain: { ...data.domain, verifyingContract: addressOf(5) } }),
      await alice.account.signTypedData({ ...data, domain: { ...data.domain, name: 'Candle' } }),
      await alice.account.signMessage({ message: JSON.stringify(data) }),
      await alice.account.signMessage({ message: { raw: scenario.digest(terms) } }),
    ]
    for (const signature of strange) {
      await expect(send(alice, { ...terms, signature })).rejects.toMatchObject({ code: 4005 })
    }
    await send(alice, { ...terms, signature: await sign(alice, terms) })
  })

  test('the other form of the same signature moves nothing a second time', async () => {
    await using scenario = await startTransferScenario()
    const { alice, send, sign, termsOf } = scenario
    const terms = termsOf(alice, {})
    const signature = await sign(alice, terms)
    const made = await send(alice, { ...terms, signature })
    // Every signature (r, s) has a twin (r, n - s) that the same key could have made.
    const { r, s, yParity } = parseSignature(signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const twin = serializeSignature({ r, s: padHex(`0x${(order - BigInt(s)).toString(16)}`), yParity: 1 - yParity })
    await send(alice, { ...terms, signature: twin }).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 4005 }),
    )
    expect((await scenario.list(alice)).items).toEqual([made])
  })

  test('too little, too much, too late, too early', async () => {
    await using scenario = await startTransferScenario()
    const { alice, send, prices, clock } = scenario
    await expect(send(alice, { amount: 1_000n * WHOLE + 1n })).rejects.toMatchObject({ code: 4201 })
    await expect(send(alice, { amount: WHOLE - 1n })).rejects.toMatchObject({
      code: 4202,
      params: { minimum: '1 USDT' },
    })
    await send(alice, { amount: WHOLE })
    // A HASH is worth a third of a USDT, rounded down: three of them are just below one.
    await expect(send(alice, { asset: 'HASH', amount: 3n * WHOLE })).rejects.toMatchObject({
      params: { minimum: '3.000000000000000004 HASH' },
    })
    await send(alice, { asset: 'HASH', amount: 3n * WHOLE + 4n })
    prices.HASH = null
    await expect(send(alice, { asset: 'HASH' })).rejects.toMatchObject({ code: 5031, params: { asset: 'HASH' } })
    await send(alice, {})
    const ahead = (ms: number) => new Date(clock.now().getTime() + ms)
    await expect(send(alice, { deadline: ahead(600_001) })).rejects.toMatchObject({ params: { field: 'deadline' } })
    await send(alice, { deadline: ahead(600_000) })
    await expect(send(alice, { deadline: ahead(0) })).rejects.toMatchObject({ code: 4207 })
    await scenario.expectSound()
  })
})

test('a call without every signed term, each written in its one way, is no transfer', () => {
  const { input } = endpoints['POST transfer/index']
  const whole = {
    to: addressOf(1),
    asset: 'USDT',
    amount: '12.5',
    requestId: requestIdNamed('request', new Date()),
    deadline: '2026-03-01T12:05:00.000Z',
    signature: `0x${'11'.repeat(65)}`,
  }
  expect(input.safeParse(whole)).toMatchObject({ success: true })
  for (const name of Object.keys(whole)) {
    expect(input.safeParse({ ...whole, [name]: undefined }), name).toMatchObject({ success: false })
  }
  const bad = [
    { to: '0' },
    { to: '-5' },
    { to: 'bob' },
    { amount: '0' },
    { amount: '1e3' },
    { deadline: '2026-03-01T12:05:00Z' },
    { deadline: '2026-13-01T12:05:00.000Z' },
    { deadline: '1772366700' },
    { signature: '0x' },
    { signature: '0x123' },
    { signature: 'signed' },
  ]
  for (const part of bad)
    expect(input.safeParse({ ...whole, ...part }), JSON.stringify(part)).toMatchObject({ success: false })
})

describe('contract wallets', () => {
  test('sign on chain (EIP-1271), also before they are deployed (EIP-6492), and for their own terms only', async () => {
    const anvil = await startAnvil()
    try {
      const client = createChainClient({ network: testNetwork, rpcUrl: anvil.url, ...patientClient })
      const account = mnemonicToAccount('test test test test test test test test test test test junk')
      const sender = createWalletClient({ account, chain: client.chain, transport: http(anvil.url) })
      const deploy = async (data: Hex): Promise<Hex> => {
        const hash = await sender.sendTransaction({ data })
        const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
        return must(receipt.contractAddress, 'a deployment has an address')
      }
      await using scenario = await startTransferScenario({ askContract: askContractOn(client) })
      const wallet = await scenario.join(await deploy(walletInit))
      const factory = await deploy(factoryInit)
      const opcode = {
        opcode: 'CREATE2',
        from: factory,
        salt: padHex('0x00', { size: 32 }),
        bytecode: walletInit,
      } as const
      const coming = await scenario.join(getContractAddress(opcode))
      const { digest, send, termsOf } = scenario

      const terms = termsOf(wallet, {})
      const signature = signAsWallet(digest(terms))
      // Both wallets answer to the same secret: the terms name the wallet that gives, so neither pays for the other.
      await expect(send(coming, { ...terms, from: coming.address, signature })).rejects.toMatchObject({ code: 4005 })
      await expect(send(wallet, { ...terms, amount: terms.amount + 1n, signature })).rejects.toMatchObject({
        code: 4005,
      })
      await send(wallet, { ...terms, signature })
      expect(await scenario.available(wallet)).toBe('990')

      const early = termsOf(coming, { amount: 20n * WHOLE })
      const wrapped = serializeErc6492Signature({
        address: factory,
        data: walletInit,
        signature: signAsWallet(digest(early)),
      })
      await expect(send(coming, { ...early, asset: 'HASH', signature: wrapped })).rejects.toMatchObject({ code: 4005 })
      await send(coming, { ...early, signature: wrapped })
      expect(await scenario.available(scenario.bob)).toBe('1030')
      await scenario.expectSound()
    } finally {
      await anvil.stop()
    }
  })

  test('that the chain cannot be asked about are told 5032, and keep their money', async () => {
    await using scenario = await startTransferScenario({
      askContract: () => Promise.reject(new Error('no connection')),
    })
    const wallet = await scenario.join(addressOf(1_271))
    await expect(scenario.send(wallet, { signature: '0x1234' })).rejects.toMatchObject({ code: 5032 })
    expect(await scenario.available(wallet)).toBe('1000')
  })
})

function flipBit(signature: Hex): Hex {
  const digit = Number.parseInt(signature.charAt(20), 16) ^ 1
  return `${signature.slice(0, 20)}${digit.toString(16)}${signature.slice(21)}` as Hex
}
