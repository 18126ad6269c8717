import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buildServer, serverProgram } from '@candela/testing/build/build-server'
import { freePort } from '@candela/testing/process/ports'
import { sql } from 'kysely'
import { startChainForServer } from '@candela/testing/server/test-config'
import { answers } from '../support/service.ts'
import type { Measure } from './measure.ts'
import type { Ledger } from './ledger.ts'

export function startMeasure(rounds: number): Measure {
  return {
    figures: [{ name: 'start of a server', unit: 'ms' }],
    isWarmed: true,
    rounds,
    prepare: () => buildServer(() => undefined),
    once: startOnce,
  }
}

/** Milliseconds from the start of the process to its first answer, on this database and a chain of its own. */
async function startOnce({ db, folder, postgres }: Ledger): Promise<number[]> {
  const { chain, env } = await startChainForServer()
  const log = await open(join(folder, 'candela.log'), 'a')
  try {
    await forgetChain(db)
    const port = await freePort()
    const start = performance.now()
    const child = spawn(process.execPath, [serverProgram], {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...env,
        NODE_ENV: 'production',
        EXIT_WITH_PARENT: 'on',
        PORT: String(port),
        PUBLIC_ORIGIN: 'https://app.example.org',
        RPC_URLS: 'https://rpc.example.org',
        DATABASE_URL: postgres.url(),
      },
      stdio: ['pipe', log.fd, log.fd],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const isUp = await answers(port)
    const took = performance.now() - start
    child.kill('SIGTERM')
    await ended
    if (!isUp) throw new Error(`the server does not answer: see ${folder}/candela.log`)
    return [took]
  } finally {
    await chain.stop()
    await log.close()
    await forgetChain(db)
  }
}

async function forgetChain(db: Ledger['db']): Promise<void> {
  await sql`delete from chain_block`.execute(db)
  await sql`delete from chain_cursor`.execute(db)
}
