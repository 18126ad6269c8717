import { DEFAULT_LANGUAGE, languages, languageTag, type Language } from '@candela/protocol/language'
import { openStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import { translator, type InitialMessages, type DeferredMessages, type Translate } from './translate.ts'

type Catalog = { first: () => Promise<InitialMessages>; inner: () => Promise<DeferredMessages> }

/** One language is loaded at a time: nobody reads three at once. */
const catalogs: Record<Language, Catalog> = {
  zh: {
    first: async () => (await import('./zh/first.ts')).first,
    inner: async () => (await import('./zh/inner.ts')).inner,
  },
  tw: {
    first: async () => (await import('./tw/first.ts')).first,
    inner: async () => (await import('./tw/inner.ts')).inner,
  },
  en: {
    first: async () => (await import('./en/first.ts')).first,
    inner: async () => (await import('./en/inner.ts')).inner,
  },
}

/** `isComplete`: with the texts of the screens behind home. */
export type Locale = { language: Language; t: Translate; isComplete: boolean }

/** The active language with its texts; null until the first ones are there. */
export const locale = createStore<Locale | null>(null)

export function storedLanguage(): Language {
  const kept = openStorage().get('lang')
  return languages.find((language) => language === kept) ?? DEFAULT_LANGUAGE
}

type Want = { language: Language; isComplete: boolean }

/** What was asked for last: texts of anything else that arrive late are not used. */
let wanted: Want = { language: DEFAULT_LANGUAGE, isComplete: false }

/** Loads a language and makes it the active one. Rejects when its texts cannot be fetched; the old one then stays. */
export const setLanguage = (language: Language): Promise<void> => load({ ...wanted, language })

/** Loads the texts of the screens behind home, in whatever language is active by then. Rejects like `setLanguage`. */
export async function loadDeferredTexts(): Promise<void> {
  while (locale.get()?.isComplete !== true) await load({ ...wanted, isComplete: true })
}

async function load(want: Want): Promise<void> {
  const { language, isComplete } = want
  wanted = want
  const isWanted = () => wanted.language === language && wanted.isComplete === isComplete
  try {
    const { first, inner } = catalogs[language]
    const [initialTexts, deferredTexts] = await Promise.all([first(), isComplete ? inner() : {}])
    const active = locale.get()
    if (!isWanted() || (active?.language === language && active.isComplete === isComplete)) return
    document.documentElement.lang = languageTag[language]
    locale.set({ language, t: translator({ ...initialTexts, ...deferredTexts }), isComplete })
  } catch (error) {
    const active = locale.get()
    if (isWanted() && active !== null) wanted = active
    throw error
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  openStorage().set('lang', language)
}
