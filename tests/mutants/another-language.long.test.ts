import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeCopy } from './copy.ts'

const run = promisify(execFile)

/** In a copy of the project: the steps of the recipe "Add a language", with the English texts. */
test('another language is a folder of texts, a file of the API’s texts, and lines that name it', async () => {
  const workspaces = ['protocol', 'server', 'web', 'testing', 'tests/journeys', 'devnet', 'tests/bench', 'contracts']
  const others = [
    'tests/rules',
    'scripts',
    'tests/mutants',
    'verify',
    'deploy',
    'tsconfig.json',
    'tsconfig.base.json',
    'vitest.config.ts',
  ]
  const isBuilt = /\/(?:dist(?:-\w+)?|out|cache|\.data)(?:\/|$)/
  await using copy = await makeCopy({ workspaces, others, isCopied: (file) => !isBuilt.test(file) })
  const at = (file: string) => path.join(copy.folder, file)
  const edit = async (file: string, change: (text: string) => string) => {
    const before = await readFile(at(file), 'utf8')
    const after = change(before)
    expect(after).not.toBe(before)
    await writeFile(at(file), after)
  }
  await cp(at('web/src/texts/en'), at('web/src/texts/fr'), { recursive: true })
  await cp(at('protocol/texts/en.ts'), at('protocol/texts/fr.ts'))
  await edit('protocol/texts/api-texts.ts', (text) =>
    text
      .replace('import { texts as tw }', "import { texts as fr } from './fr.ts'\nimport { texts as tw }")
      .replace('{ zh, tw, en }', '{ zh, tw, en, fr }'),
  )
  await edit('protocol/language.ts', (text) =>
    text.replace('  en: {', "  fr: { tag: 'fr', name: 'Français' },\n  en: {"),
  )
  for (const project of ['tsconfig.json', 'web']) await run('tsc', ['-p', project], { cwd: copy.folder })
  const env = { ...process.env, VITE_RPC_URLS: 'https://rpc.example' }
  for (const name of ['GATEWAY', 'USDT', 'HASH'])
    Object.assign(env, { [`VITE_${name}_ADDRESS`]: `0x${'1'.repeat(40)}` })
  await run('vite', ['build'], { cwd: at('web'), env })
  const assets = await readFile(at('web/dist/index.html'), 'utf8')
  expect(assets).toContain('/assets/index')
}, 300_000)
