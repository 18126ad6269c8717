import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { findProgram } from './debian-programs.ts'
import { processIdentity } from './identity.ts'
import { needs } from './needs.ts'

/** The number of the system call that ends the calling thread alone. */
const exitCall = process.platform === 'linux' ? { x64: 60, arm64: 93 }[process.arch as 'x64' | 'arm64'] : undefined

test(
  'a process is there until its last thread has ended, also after its first one',
  needs('perl'),
  async ({ skip }) => {
    skip(exitCall === undefined, 'the number of the system call is not known here')
    // In Perl, because Node cannot end its first thread alone.
    const program = `$| = 1; threads->create(sub { sleep }); print "started\\n"; syscall(${exitCall}, 0)`
    const child = spawn(findProgram('perl') ?? 'perl', ['-Mthreads', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = child.pid ?? 0
    try {
      const started = once(createInterface(child.stdout), 'line')
      const ended = once(child, 'exit').then(() => Promise.reject(new Error('Perl has no threads here')))
      ended.catch(() => undefined)
      await Promise.race([started, ended])
      await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
      expect(await processIdentity(pid)).toMatch(/^[-0-9a-f]+\/\d+$/)
    } finally {
      child.kill('SIGKILL')
    }
    await expect.poll(() => processIdentity(pid)).toBeUndefined()
  },
)
