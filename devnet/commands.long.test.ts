import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { root, withHelp } from '../tests/rules/documents/documented-commands.ts'

/** Each program that a document names starts, and says what it is for. */

test('documents name some', () => {
  expect(withHelp.length).toBeGreaterThan(15)
})

test.each(withHelp)('%s --help', async (file) => {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [file, '--help'], { cwd: root }, (error, stdout, stderr) =>
      error === null ? resolve(stdout + stderr) : reject(error),
    )
  })
  expect(output.length).toBeGreaterThan(40)
  expect(output).not.toMatch(/^\s+at /m)
})
