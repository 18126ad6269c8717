import { once } from 'node:events'
import { execFileSync, type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { needs } from '../process/needs.ts'
import { freePort } from '../process/ports.ts'
import { must } from '@candela/server/kernel/assert'
import { openRedis, redisLimits, type Redis } from '@candela/server/redis/open-redis'

/** Options of a group of tests with Redis. */
export const needsRedis = needs('redis-server', 'redis-cli')

/** A Redis of its own, that keeps what it was told when it is killed. */
export class TestRedis implements AsyncDisposable {
  readonly url: string
  readonly #port: number
  readonly #folder: string
  #child: ChildProcess | undefined
  readonly #opened: Redis[] = []

  private constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
    this.url = `redis://127.0.0.1:${port}`
  }

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), await mkdtemp(path.join(tmpdir(), 'candela-redis-')))
    await redis.start()
    return redis
  }

  /** Starts it, also again after it was killed. */
  async start(): Promise<void> {
    // Without waiting for the disk: what is written survives the process, not the machine.
    const settings = { port: this.#port, bind: '127.0.0.1', dir: this.#folder, save: '', appendonly: 'yes' }
    const args = Object.entries({ ...settings, appendfsync: 'no' }).flatMap(([name, value]) => [
      `--${name}`,
      `${value}`,
    ])
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    child.once('error', reject)
    child.once('exit', () => reject(new Error('redis-server has ended')))
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to accept connections')) resolve()
    })
    await promise
  }

  get pid(): number {
    return must(this.#child?.pid, 'Redis runs')
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** It keeps its connections and answers nothing. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /**
   * A connection as a server has one, with what it has reported so far. `once_ms`: for tests of what Redis answers, in
   * which a busy machine must not count as a silent Redis.
   */
  async connect(once_ms = redisLimits.once_ms): Promise<{ redis: Redis; changes: (string | null)[] }> {
    const changes: (string | null)[] = []
    const redis = openRedis({
      url: this.url,
      onChange: (reason) => changes.push(reason),
      limits: { ...redisLimits, once_ms },
    })
    this.#opened.push(redis)
    await redis.connect()
    return { redis, changes }
  }

  /** Asks `redis-cli`, and returns its answer. */
  ask(...command: string[]): string {
    return execFileSync('redis-cli', ['-p', String(this.#port), ...command], { encoding: 'utf8' }).trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const redis of this.#opened) redis.close()
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
