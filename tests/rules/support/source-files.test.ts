import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { needs } from '@candela/testing/process/needs'
import { expect, test } from 'vitest'
import { filesBelow, ignoredBy, root, tracked } from './source-files.ts'

test('a tree is listed without what its .gitignore files name', async () => {
  const top = await mkdtemp(path.join(tmpdir(), 'candela-tree-'))
  try {
    const put = async (file: string, text = '') => {
      await mkdir(path.join(top, path.dirname(file)), { recursive: true })
      await writeFile(path.join(top, file), text)
    }
    await put('.gitignore', 'node_modules/\n# a remark\n*.log\na/out/\n\n')
    await put('web/.gitignore', 'dist*/\n')
    const kept = ['a/b/out/x.ts', 'dist-here/x.ts', 'out/x.ts', 'web/dist', 'web/node.ts']
    const gone = [
      '.git/x',
      'a/out/x',
      'node_modules/x',
      'web/a.log',
      'web/dist-exit/x',
      'web/b/node_modules/x',
      'x.log',
    ]
    for (const file of [...kept, ...gone]) await put(file)
    expect(filesBelow(top).toSorted()).toEqual(['.gitignore', ...kept, 'web/.gitignore'].toSorted())
  } finally {
    await rm(top, { recursive: true, force: true })
  }
  expect(() => ignoredBy('', '!kept\n')).toThrow('takes something back: !kept')
})

test('git lists the same files of this tree', needs('git'), ({ skip }) => {
  skip(!existsSync(path.join(root, '.git')), 'needs a clone')
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-per-directory=.gitignore']
  const listed = execFileSync('git', args, { cwd: root }).toString().split('\0')
  const there = listed.filter((file) => file !== '' && existsSync(path.join(root, file)))
  expect(tracked).toEqual([...new Set(there)].toSorted())
})
