// Starts Candela with `npm start` on free ports, opens the app, stops it as Ctrl-C does, and looks that nothing listens any more.
// In JavaScript, because it runs with every Node that the product starts with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Milliseconds. A first start compiles the contracts, which takes a minute on a slow machine. */
const READY_MS = 300_000
const STOPPED_MS = 60_000

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return String(port)
}

function within(ms, what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms / 1000} s`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const [PORT, RPC_PORT] = [await freePort(), await freePort()]
const env = { ...process.env, PORT, RPC_PORT }
// In a group of its own, to which a terminal would send Ctrl-C.
const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
const exited = once(npm, 'exit')
/** Sends a signal to npm and all that it has started. */
function signal(name) {
  if (npm.pid !== undefined && npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, name)
}
process.once('exit', () => signal('SIGKILL'))
const began_ms = performance.now()
const ready = new Promise((resolve, reject) => {
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    output += text
    if (output.includes('Candela runs.')) resolve()
  })
  exited.then(([code]) => reject(new Error(`npm start ended with ${code}`)), reject)
})
await within(READY_MS, 'the start', ready)
process.stdout.write(`ready after ${((performance.now() - began_ms) / 1000).toFixed(1)} s\n`)
const page = await fetch(`http://127.0.0.1:${PORT}/`)
if (!page.ok || !(await page.text()).includes('<html')) throw new Error(`the app answered ${page.status}`)

signal('SIGINT')
await within(STOPPED_MS, 'the stop', exited)
for (const port of [PORT, RPC_PORT]) {
  const isOpen = await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
  if (isOpen) throw new Error(`something listens on port ${port} after the stop`)
}
