import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Client, openClient } from '@candela/client/client'
import { BORROWER, HOLDER } from '@candela/devnet/seed/history'
import { testAccounts } from '@candela/testing/chain/accounts'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS } from '@candela/protocol/units'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReport, type Line, summaryText } from '../../../verify/report.ts'
import { openRpc } from '../../../verify/sources/rpc.ts'
import { type OwnFiles, verify } from '../../../verify/run.ts'
import { type Folder, openFolder, savingRpc, savingService } from '../../../verify/sources/saved.ts'
import { openService, type Service } from '../../../verify/sources/service.ts'
import { pastMidnight_ms } from '../support/past-midnight.ts'
import { type RunningProduct, startProduct } from '../support/products/product.ts'
import { waitUntil } from '@candela/testing/browser/wait-until'
import { type Lie, plantedLies } from './planted-lies.ts'

let product: RunningProduct
let data: string
let folder: Folder
const own: { name: string; text: string }[] = []
let busy: string
let gateway: string

const dayOf = (time_ms: number) => new Date(time_ms).toISOString().slice(0, 10)

beforeAll(async () => {
  product = await startProduct({ mode: 'development', env: { SEED_HISTORY: 'full' } })
  data = await mkdtemp(path.join(tmpdir(), 'candela-verify-'))
  folder = openFolder(data)
  const holder = await signIn(HOLDER)
  await exchange(holder)
  busy = dayOf(Date.now())
  passed_ms = DAY_MS + pastMidnight_ms()
  await product.passTime(passed_ms)
  const service = openOwnService()
  gateway = ((await service.read('home/public')) as { contracts: { gateway: string } }).contracts.gateway.toLowerCase()
  await waitUntil('the day is published, and a closed one', async () => {
    const [day, income] = [await service.read('solvency/day', { day: busy }), await service.read('power/day')]
    const closes = (day as { fund?: unknown[] } | null)?.fund ?? []
    return closes.length > 0 && income !== null
  })
  await waitUntil('an attestation is published, and its block cannot be replaced any more', async () => {
    const { attestation } = (await service.read('solvency/latest')) as { attestation: { txHash: string } | null }
    if (attestation === null) return false
    const rpc = openRpc(product.rpcUrl)
    const mined = (await rpc.call('eth_getTransactionReceipt', [attestation.txHash])) as { blockNumber: string } | null
    if (mined === null) return false
    const { confirmations } = (await service.read('home/public')) as { confirmations: { large: number } }
    return Number(await rpc.call('eth_blockNumber', [])) - Number(mined.blockNumber) >= confirmations.large
  })
  const borrower = await signIn(BORROWER)
  own.push(...(await saveOwn(holder)), await saveProof(borrower), ...(await saveLoans(borrower)))
})
afterAll(async () => {
  await product?.stop()
  if (data !== undefined) await rm(data, { recursive: true, force: true })
})

/** How far the product's clock is ahead of this one. */
let passed_ms = 0
const openOwnService = (token = '') => openService(product.origin, token, () => Date.now() + passed_ms)

/** An account of the seeded history, signed in. */
async function signIn(index: number): Promise<Client> {
  const key = testAccounts()[index]?.privateKey
  if (key === undefined) throw new Error('The development chain has too few accounts')
  const client = openClient({ origin: product.origin, now: () => Date.now() + passed_ms })
  await client.signIn(privateKeyToAccount(key))
  return client
}

async function exchange(client: Client): Promise<void> {
  await waitUntil('the price of HASH is in use', async () => {
    const { items } = await client.call('GET user/priceInfo', {})
    return items.some(({ asset, paused }) => asset === 'HASH' && !paused)
  })
  const quote = await client.call('POST exchange/quote', { from: 'HASH', to: 'USDT', amount: '1' })
  const terms = { quoteNo: quote.quoteNo, minReceived: quote.amountOut, requestId: client.requestId() }
  await client.call('POST exchange/index', terms)
}

async function saveOwn(client: Client): Promise<OwnFiles> {
  const { text } = await client.call('GET statement/csv', {})
  const incomes = JSON.stringify(await client.call('GET user/incomeList', { limit: '100' }))
  return [
    { name: 'statement.csv', text },
    { name: 'incomes.json', text: incomes },
  ]
}

/** As the app saves it. */
async function saveProof(client: Client): Promise<OwnFiles[number]> {
  const proof = await client.call('GET solvency/proof', {})
  return { name: 'proof.json', text: JSON.stringify({ ...proof, parts: await client.call('GET solvency/owed', {}) }) }
}

async function saveLoans(client: Client): Promise<OwnFiles> {
  const { items } = await client.call('GET lending/orders', {})
  return Promise.all(
    items.map(async ({ loanNo }) => {
      const { loan } = await client.call('GET lending/detail', { loanNo })
      const entries = await Array.fromAsync(client.items('GET lending/entries', { loanNo, limit: '100' }))
      return { name: `loan-${loanNo}.json`, text: JSON.stringify({ loan, entries }) }
    }),
  )
}

/** Everything that is checked; without a node, so that only what was saved counts. */
async function check(service: Service, { files = own, isSaved = true } = {}): Promise<Line[]> {
  const report = createReport(() => undefined)
  const rpc = savingRpc(isSaved ? null : openRpc(product.rpcUrl), folder)
  await verify(report, { rpc, service, folder, gateway, chainId: CHAIN_ID, fromBlock: 0, since: null, own: files })
  return report.lines
}

const differences = (lines: readonly Line[]) => lines.filter(({ result }) => result === 'differs')

/** The saved answers, with one lie in them. */
function lying({ path: wanted, day, change }: Lie): Service {
  const honest = savingService(null, folder)
  let told = false
  return {
    async read(place, input = {}) {
      const answer = structuredClone(await honest.read(place, input))
      if (place === wanted && (day === undefined || (input['day'] ?? '') === day) && !told) {
        told = true
        change(answer as Record<string, unknown>)
      }
      return answer
    },
  }
}

describe('an honest service', () => {
  test('agrees in everything, and a member’s own files do', async () => {
    const lines = await check(savingService(openOwnService(), folder), { isSaved: false })
    expect(differences(lines), summaryText(lines)).toEqual([])
    for (const checked of [
      'custody',
      'payments',
      'income',
      'fund',
      'prices',
      'home',
      'attestations',
      'statement',
      'own income',
      'own proof',
      'own loan',
    ])
      expect(lines.filter(({ check: name, result }) => name === checked && result === 'agrees')).not.toEqual([])
  })

  test('can be checked again from what was saved, without a node and without a service', async () => {
    const lines = await check(savingService(null, folder))
    expect(differences(lines)).toEqual([])
    expect(lines.length).toBeGreaterThan(50)
  })
})

const changed = (name: string, from: RegExp, to: (text: string) => string) =>
  own.map((file) => (file.name === name ? { ...file, text: file.text.replace(from, to) } : file))

type LoanLine = { part: string; kind: string; amount: string; balance: string }

const more = (text: string) => fromBaseUnits(toBaseUnits(text) + 1n)

/** A base unit more of interest on the last day of a loan, with balances that follow. */
function overcharged(): { name: string; text: string }[] {
  let done = false
  return own.map((file) => {
    if (done || !file.name.startsWith('loan-') || file.text.includes('interest-correction')) return file
    const loan = JSON.parse(file.text) as { entries: LoanLine[] }
    const last = loan.entries.findIndex(({ part, kind }) => part === 'interest' && kind === 'interest')
    for (const [nth, line] of loan.entries.entries())
      if (nth <= last && line.part === 'interest') line.balance = more(line.balance)
    const charged = loan.entries[last]
    if (charged === undefined) return file
    charged.amount = more(charged.amount)
    done = true
    return { ...file, text: JSON.stringify(loan) }
  })
}

describe('a service that lies', () => {
  test('is found out, and the figure is named, whichever it is', async () => {
    const wrong: string[] = []
    const lies = plantedLies({ busy, closed: dayOf(Date.now() - DAY_MS) })
    expect(lies.length).toBeGreaterThanOrEqual(25)
    for (const lie of lies) {
      const found = differences(await check(lying(lie)))
      const isNamed = found.some(
        ({ check: name, subject }) => name === lie.found.check && lie.found.subject.test(subject),
      )
      if (!isNamed) wrong.push(`${lie.says}: ${JSON.stringify(found)}`)
    }
    expect(wrong).toEqual([])
  })

  test('to one member is found out by that member’s own files', async () => {
    const income = changed('incomes.json', /"amount":"(\d+)/, (text) => text.replace('":"', '":"1'))
    const statement = changed('statement.csv', /(,HASH,HASH -?\d+)/, (text) => `${text}1`)
    // To somebody with fund shares and two loans, about each of these.
    const lies = ['debt', 'shares', 'JU', 'HASH'].map((part) =>
      changed('proof.json', new RegExp(`"parts":.*"${part}":"[1-9][0-9]*"`), (text) => `${text.slice(0, -1)}0"`),
    )
    for (const [files, name] of [
      [overcharged(), 'own loan'],
      [income, 'own income'],
      [statement, 'statement'],
      ...lies.map((each) => [each, 'own proof'] as const),
    ] as const) {
      expect(files).not.toEqual(own)
      const found = differences(await check(savingService(null, folder), { files }))
      expect([...new Set(found.map((line) => line.check))]).toEqual([name])
    }
  })
})
