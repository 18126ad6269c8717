import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serverProgram } from '../build/build-server.ts'
import { freePort } from '../process/ports.ts'
import type { TestChain } from '../chain/test-chain.ts'
import type { TestDatabase } from '../postgres/test-database.ts'
import { WHOLE } from '@candela/server/modules/power/testing'

/** The amount of each side of each pair, so that every price is 1. */
const LIQUIDITY = 1_000n * WHOLE

/** The real server process. */
export class Server {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly listening: Promise<void>
  output = ''

  /** @param program the server's main file; that of this version unless another one is named */
  constructor(env: Record<string, string>, program: string = serverProgram) {
    // Standard input stays open for as long as this test lives: the server ends with it.
    this.child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    const heard = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<number | null>()
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
        if (this.output.includes('"listening"')) heard.resolve()
      })
    }
    this.child.once('exit', (code) => {
      ended.resolve(code)
      heard.resolve()
    })
    this.exited = ended.promise
    this.listening = heard.promise
  }

  get isGone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.child.kill(signal)
    await this.exited
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end('SIGKILL')
  }
}

/** A folder that is gone with its user. */
export async function temporaryFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'candela-test-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Builds the settings that a server needs to follow the chain from its next block on. */
export async function environmentOf(
  chain: TestChain,
  database: Pick<TestDatabase, 'url'>,
): Promise<Record<string, string>> {
  const pairs = await chain.openPairs({ hash: LIQUIDITY, hashUsdt: LIQUIDITY, ju: LIQUIDITY, juUsdt: LIQUIDITY })
  const port = await freePort()
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'test',
    EXIT_WITH_PARENT: 'on',
    PORT: String(port),
    DATABASE_URL: database.url,
    RPC_URL: chain.url,
    GATEWAY_ADDRESS: chain.gateway,
    USDT_ADDRESS: chain.usdt,
    HASH_ADDRESS: chain.hash,
    WJU_ADDRESS: chain.wju,
    HASH_PAIR_ADDRESS: pairs.hashPair,
    JU_PAIR_ADDRESS: pairs.juPair,
    START_BLOCK: String((await chain.client.getBlockNumber()) + 1n),
    CONFIRMATIONS: '2',
    CONFIRMATIONS_LARGE: '3',
    POLL_INTERVAL_MS: '50',
    // The chain of a test stands still between what the test does, which takes long on a busy machine.
    MAX_HEAD_AGE_S: '3600',
  }
}
