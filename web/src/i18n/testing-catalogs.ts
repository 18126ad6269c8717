import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Language, languages } from '@candela/protocol/language'
import type { Messages } from './translate.ts'

const app = path.join(import.meta.dirname, '..')

/** The files that hold texts of a language, relative to `web/src`. */
export const textFiles = (language: Language): string[] =>
  globSync(`texts/${language}/**/*.ts`, { cwd: app })
    .filter((file) => !file.endsWith('/initial.ts'))
    .toSorted()

async function textsOf(language: Language): Promise<Messages> {
  const files = textFiles(language).map((file) => pathToFileURL(path.join(app, file)).href)
  const modules = (await Promise.all(files.map((file) => import(file)))) as { texts: Messages }[]
  return Object.assign({}, ...modules.map(({ texts }) => texts)) as Messages
}

/** Whole, for tests: the app itself loads the texts of each screen with it. */
export const catalogs = Object.fromEntries(
  await Promise.all(languages.map(async (language) => [language, await textsOf(language)] as const)),
) as Record<Language, Record<keyof Messages, string>>
