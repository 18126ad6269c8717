import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { processIdentity } from './identity.ts'

/** The number of the system call that ends the calling thread alone. */
const exitCall = { x64: 60, arm64: 93 }[process.arch as 'x64' | 'arm64']

test.runIf(process.platform === 'linux' && exitCall !== undefined)(
  'a process is there until its last thread has ended, also after its first one',
  async () => {
    // Perl comes with git.
    const program = `$| = 1; threads->create(sub { sleep }); print "started\\n"; syscall(${exitCall}, 0)`
    const child = spawn('perl', ['-Mthreads', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = child.pid ?? 0
    try {
      await once(createInterface(child.stdout), 'line')
      await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
      expect(await processIdentity(pid)).toMatch(/^[-0-9a-f]+\/\d+$/)
    } finally {
      child.kill('SIGKILL')
    }
    await expect.poll(() => processIdentity(pid)).toBeUndefined()
  },
)
