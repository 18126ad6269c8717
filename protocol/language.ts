/** Languages of the product. `tw` is stored and sent under that name; where a BCP 47 tag is needed use `languageTag`. */
export const languages = ['zh', 'tw', 'en'] as const

export type Language = (typeof languages)[number]

export const DEFAULT_LANGUAGE: Language = 'tw'

/** BCP 47 tags, for `<html lang>` and Intl (as such a tag, "tw" is the Twi language). */
export const languageTag: Record<Language, string> = { zh: 'zh-Hans', tw: 'zh-Hant', en: 'en' }

/** Reads the LANG header ("ZH", "TW", "EN", any case); anything else is the default. */
export function languageFromHeader(header: string | undefined): Language {
  const wanted = header?.toLowerCase()
  return languages.find((language) => language === wanted) ?? DEFAULT_LANGUAGE
}
