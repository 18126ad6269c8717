import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freePort, isPortTaken } from './ports.ts'

/** So many that two processes that chose by chance alone would meet: four times in the mean. */
const COUNT = 300

async function take(): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < COUNT) ports.push(await freePort())
  return ports
}

test('a port is given once, in this process and in others, and never one that the system gives', async () => {
  const program = `
    import { freePort } from ${JSON.stringify(join(import.meta.dirname, 'ports.ts'))}
    for (let count = 0; count < ${COUNT}; count += 1) console.log(await freePort())
    process.stdout.end()
    process.stdin.resume()`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const theirs = (await text(other.stdout)).trim().split('\n').map(Number)
    expect(theirs).toHaveLength(COUNT)
    const all = [...theirs, ...(await take())]
    expect(new Set(all).size).toBe(2 * COUNT)
    // Linux gives connections ports from 32768 on, macOS and Windows from 49152 on.
    expect(Math.max(...all)).toBeLessThan(32_768)
  } finally {
    other.kill('SIGKILL')
  }
})

test('a given port can be listened on, and is taken then', async () => {
  const port = await freePort()
  expect(await isPortTaken(port)).toBe(false)
  const server = createServer()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  expect(await isPortTaken(port)).toBe(true)
  server.close()
})
