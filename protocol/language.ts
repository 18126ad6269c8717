/**
 * Languages of the product, each with its tag in BCP 47, for `<html lang>` and Intl (there "tw" is the Twi language), and with
 * its name in itself. A language is a line here, and a folder in `protocol/texts/` and in `web/src/texts/`.
 */
const table = {
  zh: { tag: 'zh-Hans', name: '简体中文' },
  tw: { tag: 'zh-Hant', name: '繁體中文' },
  en: { tag: 'en', name: 'English' },
} as const

export type Language = keyof typeof table

export const languages = Object.keys(table) as Language[]

export const DEFAULT_LANGUAGE: Language = 'tw'

const ofEach = (of: (language: Language) => string) =>
  Object.fromEntries(languages.map((language) => [language, of(language)])) as Readonly<Record<Language, string>>

export const languageTag = ofEach((language) => table[language].tag)
export const languageName = ofEach((language) => table[language].name)

/** A text that the operator has written in some languages: in English where it is missing in this one. */
export const textIn = (
  text: Readonly<{ en: string } & Partial<Record<Language, string>>>,
  language: Language,
): string => text[language] ?? text.en

/** Reads the LANG header ("ZH", "TW", "EN", any case); anything else is the default. */
export function languageFromHeader(header: string | undefined): Language {
  const wanted = header?.toLowerCase()
  return languages.find((language) => language === wanted) ?? DEFAULT_LANGUAGE
}
