import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tracked } from '../support/source-files.ts'
import { code, named, npmScripts, programs, root, scripts } from './documented-commands.ts'

/** The commands that documents tell people to type exist, and run on every Node that package.json allows. */

describe('commands in documents', () => {
  test('are scripts of package.json', () => {
    expect(npmScripts.length).toBeGreaterThan(10)
    expect(npmScripts.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('name files that exist', () => {
    expect(programs.length).toBeGreaterThan(5)
    const tests = named(/\bnpx vitest run ([\w/.-]+)/g).filter((file) => !/^(?:path\/|-)/.test(file))
    expect(tests.length).toBeGreaterThan(5)
    expect(programs.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    // As vitest looks for them: what is named is a part of a path.
    expect(tests.filter((part) => !tracked.some((file) => file.includes(part) && file.includes('.test.')))).toEqual([])
  })

  test('run TypeScript with the Node of the lockfile, never with whatever Node the system has', () => {
    const bare = [...code.matchAll(/(?<!npx |\.bin\/)\bnode [\w/.<>-]+\.ts\b.*/g)].map(([line]) => line)
    expect(bare).toEqual([])
  })
})
