import { languages, type Language } from '@candela/protocol/language'
import type { TextLoaders } from '../i18n/language.ts'

/** Every file of texts, by `./<language>/<area>.ts`. Those of the first load are in one file, `initial.ts`: more would take more requests. */
const files = import.meta.glob<{ texts: Readonly<Record<string, string>> }>('./*/*.ts')

const loaders = new Map<string, TextLoaders>()

/** What fetches the texts of an area in each language; always the same object for an area. Throws where a language lacks the area. */
export function textsOf(area: string): TextLoaders {
  const known = loaders.get(area)
  if (known !== undefined) return known
  const made = Object.fromEntries(languages.map((language) => [language, loaderOf(language, area)])) as TextLoaders
  loaders.set(area, made)
  return made
}

function loaderOf(language: Language, area: string) {
  const load = files[`./${language}/${area}.ts`]
  if (load === undefined) throw new Error(`no texts of ${area} in ${language}`)
  return load
}
