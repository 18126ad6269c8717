import { CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { beforeEach, expect, test } from 'vitest'
import { openStandalonePort } from './standalone-port.ts'

let page: EventTarget & { ethereum?: unknown }
let asked: [wallet: string, method: string][]

beforeEach(() => {
  page = new EventTarget()
  asked = []
})

const account = `0x${'ab'.repeat(20)}`

/** A wallet that answers what a way out asks. */
const walletOf = (name: string, answers: Record<string, unknown> = {}) => ({
  request({ method }: { method: string }) {
    asked.push([name, method])
    const usual: Record<string, unknown> = { eth_requestAccounts: [account], eth_chainId: CHAIN_ID_HEX }
    return Promise.resolve({ ...usual, eth_sendTransaction: `0x${name}`, ...answers }[method])
  },
})

const announce = (name: string, provider: object) =>
  page.addEventListener('eip6963:requestProvider', () =>
    page.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: { info: { uuid: name, name, icon: '', rdns: 'x' }, provider },
      }),
    ),
  )

const transaction = { from: account, to: account, data: '0x' }

test('the one wallet of the browser is used, announced or only injected', async () => {
  announce('one', walletOf('one'))
  expect(await openStandalonePort(page).connect()).toBe(account)
  page = Object.assign(new EventTarget(), { ethereum: Object.freeze(walletOf('two')) })
  expect(await openStandalonePort(page).send(transaction)).toBe('0xtwo')
})

test('of several wallets none is asked before one was chosen, and then that one alone, also when others come', async () => {
  announce('one', walletOf('one'))
  announce('two', walletOf('two'))
  const port = openStandalonePort(page)
  await expect(port.connect()).rejects.toMatchObject({ problem: 'chooseWallet' })
  expect(asked).toEqual([])
  const { options } = port.wallets!.store.get()
  expect(options.map(({ name }) => name)).toEqual(['one', 'two'])
  port.wallets!.choose(options[1]!.id)
  expect(await port.connect()).toBe(account)
  announce('three', walletOf('three'))
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(port.wallets!.store.get().options).toHaveLength(3)
  expect(await port.send(transaction)).toBe('0xtwo')
  expect(await port.asker('')!('eth_chainId', [])).toBe(CHAIN_ID_HEX)
  expect(new Set(asked.map(([wallet]) => wallet))).toEqual(new Set(['two']))
})

test('a wallet that comes first stays the one that is asked, also when another is announced later', async () => {
  announce('one', walletOf('one'))
  const port = openStandalonePort(page)
  expect(await port.connect()).toBe(account)
  announce('two', walletOf('two'))
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(await port.send(transaction)).toBe('0xone')
})

test('no wallet, and a wallet that opens no account, are told apart', async () => {
  await expect(openStandalonePort(page).connect()).rejects.toMatchObject({ problem: 'noWallet' })
  for (const eth_requestAccounts of [[], null, {}, ['0x1'], 'locked']) {
    page = new EventTarget()
    announce('one', walletOf('one', { eth_requestAccounts }))
    await expect(openStandalonePort(page).connect()).rejects.toMatchObject({ problem: 'noAccount' })
  }
})
