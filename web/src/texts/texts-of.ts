import { languages } from '@candela/protocol/language'
import type { TextLoaders } from '../i18n/language.ts'

type Texts = { texts: Readonly<Record<string, string>> }
type InitialTexts = Texts & { areas: Readonly<Record<string, () => Promise<Texts>>> }

/**
 * The texts of the first load, by `./<language>/initial.ts`. They are in one file, because more would take more requests, and that file names
 * those of the other areas: a device reads one language, and needs the names of no other one's files.
 */
const initials = import.meta.glob<InitialTexts>('./*/initial.ts')

const known = new Map<string, TextLoaders>()

/** Loaders of an area's texts in each language; always the same object for an area. `catalogs.test.ts` finds an area that is not there. */
export function textsOf(area: string): TextLoaders {
  const loaders =
    known.get(area) ??
    (Object.fromEntries(
      languages.map((language) => {
        const initial = initials[`./${language}/initial.ts`]!
        return [language, area === 'initial' ? initial : async () => (await initial()).areas[`./${area}.ts`]!()]
      }),
    ) as TextLoaders)
  known.set(area, loaders)
  return loaders
}
