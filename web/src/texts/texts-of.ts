import { languages } from '@candela/protocol/language'
import type { TextLoaders } from '../i18n/language.ts'

/** Every file of texts, by `./<language>/<area>.ts`. Those of the first load are in one file, `initial.ts`: more would take more requests. */
const files = import.meta.glob<{ texts: Readonly<Record<string, string>> }>('./*/*.ts')

const known = new Map<string, TextLoaders>()

/** What fetches the texts of an area in each language; always the same object for an area. `catalogs.test.ts` finds an area that is not there. */
export function textsOf(area: string): TextLoaders {
  const loaders =
    known.get(area) ??
    (Object.fromEntries(languages.map((language) => [language, files[`./${language}/${area}.ts`]])) as TextLoaders)
  known.set(area, loaders)
  return loaders
}
