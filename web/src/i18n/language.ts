import { DEFAULT_LANGUAGE, languages, languageTag } from '@candela/protocol/language'
import type { Language } from '@candela/protocol/language'
import { createStore } from '../lib/store.ts'
import { translator } from './translate.ts'
import type { FirstMessages, InnerMessages, Translate } from './translate.ts'

/** Where the choice is kept. */
const STORAGE_KEY = 'lang'

type Catalog = { first: () => Promise<FirstMessages>; inner: () => Promise<InnerMessages> }

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

/** `isWhole`: with the texts of the screens behind home. */
export type Speech = { language: Language; t: Translate; isWhole: boolean }

/** The active language with its texts; null until the first ones are there. */
export const speech = createStore<Speech | null>(null)

export function storedLanguage(): Language {
  try {
    const kept = window.localStorage.getItem(STORAGE_KEY)
    return languages.find((language) => language === kept) ?? DEFAULT_LANGUAGE
  } catch {
    return DEFAULT_LANGUAGE
  }
}

type Want = { language: Language; isWhole: boolean }

/** What was asked for last: texts of something else that arrive late are not spoken. */
let wanted: Want = { language: DEFAULT_LANGUAGE, isWhole: false }

/** Loads and speaks a language. Rejects when its texts cannot be fetched; the old one then stays. */
export const speak = (language: Language): Promise<void> => bring({ ...wanted, language })

/** Brings the texts of the screens behind home, in whatever language is spoken by then. Rejects like `speak`. */
export async function speakWhole(): Promise<void> {
  while (speech.get()?.isWhole !== true) await bring({ ...wanted, isWhole: true })
}

async function bring(want: Want): Promise<void> {
  const { language, isWhole } = want
  wanted = want
  const isWanted = () => wanted.language === language && wanted.isWhole === isWhole
  try {
    const { first, inner } = catalogs[language]
    const [firstTexts, innerTexts] = await Promise.all([first(), isWhole ? inner() : {}])
    const spoken = speech.get()
    if (!isWanted() || (spoken?.language === language && spoken.isWhole === isWhole)) return
    document.documentElement.lang = languageTag[language]
    speech.set({ language, t: translator({ ...firstTexts, ...innerTexts }), isWhole })
  } catch (error) {
    const spoken = speech.get()
    if (isWanted() && spoken !== null) wanted = spoken
    throw error
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  try {
    window.localStorage.setItem(STORAGE_KEY, language)
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}
