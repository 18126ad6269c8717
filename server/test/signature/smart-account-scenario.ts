import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadArtifact } from '@candela/contracts/artifacts.ts'
import { endpointRoute } from '@candela/protocol/endpoint'
import type { Data, Key } from '@candela/protocol/endpoints'
import { decrypt, sealForm } from '@candela/protocol/envelope/testing-envelope'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { readConfig } from '@candela/server/main/config'
import { type Database, transaction } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { keptLog } from '@candela/testing/server/kept-log'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startServer } from '@candela/server/main/start-server'
import { type Abi, concatHex, encodeDeployData, encodeFunctionData, type Hex, padHex, toHex } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { untilOthersLeft } from '../api/api-scenario.ts'
import { environmentOf } from '@candela/testing/server/server-process'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

/** How a call travels: bare, or in the envelope of production. */
export type Way = 'plain' | 'enveloped'

/** The body of an answer, of which 200 alone has data. */
export type Answer<K extends Key> = { code: number; message: string; data: Data<K> | null }

/** Some account of the development mnemonic: the test chain signs transactions for them, and we sign messages. */
export const keyHolder = (index: number): HDAccount =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })

export const addressOf = ({ address }: { address: string }): Hex => address.toLowerCase() as Hex

/** One account that is a contract: where it is or will be, and what makes it. */
export type Account = { address: Hex; factory: Hex; factoryData: Hex }

export type SmartAccountScenario = Awaited<ReturnType<typeof startSmartAccountScenario>>

/** The whole server, listening, on a real database and a chain with a factory of smart accounts. */
export async function startSmartAccountScenario() {
  const chain = await startTestChain()
  const node = await openLine(chain.url)
  const database = await createTestDatabase()
  const env = await environmentOf(chain, database)
  await chain.mine(3)
  const scenarioEnv = { ...env, RPC_URL: node.url, EXIT_WITH_PARENT: 'off', RATE_LIMIT_SCALE: '1000000' }
  const { log, lines: errors } = keptLog('error')
  const server = await startServer(readConfig(scenarioEnv), {
    clock: systemClock,
    ids: systemIds(systemClock),
    log,
    // Thirty calls that burn all their gas take a busy node longer than the usual limit.
    rpcTimeout_ms: HANGS_AFTER_MS,
  })
  await database.db
    .insertInto('root_invitation')
    .values({ code: 'CANDELA1', created_at: new Date(), closed_at: null })
    .execute()
  const { abi, ...factory } = await deployFactory(chain)
  let salts = 0n

  return {
    chain,
    db: database.db,
    node,
    /** Lines that the server wrote at level error. */
    errors,
    callBy: caller(server.url),

    /** The account of an owner at an address of its own. Nothing is sent to the chain. */
    async accountOf(owner: HDAccount): Promise<Account> {
      const salt = padHex(toHex((salts += 1n)), { size: 32 })
      const address = await chain.client.readContract({
        abi,
        address: factory.address,
        functionName: 'addressOf',
        args: [owner.address, salt],
      })
      const factoryData = encodeFunctionData({ abi, functionName: 'deploy', args: [owner.address, salt] })
      return { address: addressOf({ address: address as Hex }), factory: factory.address, factoryData }
    },
    async deploy(account: Account): Promise<void> {
      await chain.mined(await chain.send(chain.deployer, account.factory, account.factoryData))
    },
    /** A contract of nothing but this code. @returns its address */
    async deployCode(code: Hex): Promise<Hex> {
      // Copies what follows these ten bytes into memory and returns it.
      const init = concatHex(['0x61', toHex((code.length - 2) / 2, { size: 2 }), '0x80600a3d393df3', code])
      const { contractAddress } = await chain.mined(await chain.send(chain.deployer, null, init))
      return addressOf({ address: must(contractAddress, 'a deployment has an address') })
    },
    hasCode: async (address: Hex): Promise<boolean> => (await chain.client.getCode({ address })) !== undefined,
    /** Hands an account to another key. */
    async changeOwner(account: Account, from: HDAccount, to: HDAccount): Promise<void> {
      const ownerAbi = (await loadArtifact('SmartAccount')).abi as Abi
      const data = encodeFunctionData({ abi: ownerAbi, functionName: 'setOwner', args: [to.address] })
      await chain.mined(await chain.send(addressOf(from), account.address, data))
    },
    /** Puts 1,000 USDT onto a member's balance. */
    fund: (address: Hex) => fund(database.db, address),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await untilOthersLeft(database.db)
      await database.drop()
      await node.close()
      await chain.stop()
    },
  }
}

async function deployFactory(chain: TestChain): Promise<{ abi: Abi; address: Hex }> {
  const { abi, bytecode } = await loadArtifact('SmartAccountFactory')
  const data = encodeDeployData({ abi: abi as Abi, bytecode })
  const { contractAddress } = await chain.mined(await chain.send(chain.deployer, null, data))
  return { abi: abi as Abi, address: addressOf({ address: must(contractAddress, 'a deployment has an address') }) }
}

async function fund(db: Database, address: Hex): Promise<void> {
  const { id } = await db.selectFrom('member').select('id').where('address', '=', address).executeTakeFirstOrThrow()
  const debit = platformAccount('custody', 'USDT')
  const legs = [{ debit, credit: memberAccount(id, 'memberAvailable', 'USDT'), amount: 1_000n * WHOLE }]
  const posting = { id: randomUUID(), kind: 'deposit' as const, legs, memo: testMemo(), occurredAt: new Date() }
  await transaction(db, (tx) => post(tx, posting))
}

/** Calls one server over HTTP, in either way. */
function caller(origin: string) {
  return (way: Way) =>
    async <K extends Key>(key: K, fields: Record<string, string> = {}, token = ''): Promise<Answer<K>> => {
      const { method, path } = endpointRoute(key)
      if (way === 'enveloped') {
        const headers = { LANG: 'EN', ...(token !== '' && { Authorization: token }) }
        return callSealed(origin, {
          method,
          url: path,
          ...(method === 'GET' ? { params: fields } : { data: fields }),
          headers,
        })
      }
      const form = new URLSearchParams(fields)
      const response = await fetch(`${origin}${path}${method === 'GET' ? `?${form.toString()}` : ''}`, {
        method,
        headers: { lang: 'EN', ...(token !== '' && { authorization: token }) },
        ...(method === 'POST' && { body: form }),
      })
      return (await response.json()) as Answer<K>
    }
}

/** Goes through the gateway and opens what comes back. */
async function callSealed<K extends Key>(origin: string, inner: object): Promise<Answer<K>> {
  const form = sealForm(inner, Date.now())
  const response = await fetch(`${origin}/api/v1/gateway`, { method: 'POST', body: new URLSearchParams(form) })
  return JSON.parse(decrypt(await response.text(), form.handshake)) as Answer<K>
}

/** The server's line to its node, which can be cut or refuse to run anything more; it keeps what was asked. */
async function openLine(target: string) {
  let trouble: 'none' | 'cut' | 'limited' = 'none'
  const asked: { id: number; method: string; params: unknown[] }[] = []
  const line = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      if (trouble === 'cut') {
        request.socket.destroy()
        return
      }
      const calls = [JSON.parse(body)].flat() as typeof asked
      asked.push(...calls)
      if (trouble === 'limited' && calls.some(({ method }) => method === 'eth_call')) {
        const error = { code: -32_005, message: 'daily request count exceeded' }
        const refusals = calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(Array.isArray(JSON.parse(body)) ? refusals : refusals[0]))
        return
      }
      const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })().catch(() => request.socket.destroy())
  })
  await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    asked,
    suffer: (next: typeof trouble) => {
      trouble = next
    },
    close: () =>
      new Promise<void>((closed) => {
        line.close(() => closed())
        line.closeAllConnections()
      }),
  }
}
