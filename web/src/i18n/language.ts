import { DEFAULT_LANGUAGE, languages, languageTag } from '@candela/protocol/language'
import type { Language } from '@candela/protocol/language'
import { createStore } from '../ui/store.ts'
import { translator } from './translate.ts'
import type { Messages, Translate } from './translate.ts'

/** Where the choice is kept. */
const STORAGE_KEY = 'lang'

/** One catalog is loaded at a time: nobody reads three languages at once. */
const catalogs: Record<Language, () => Promise<Messages>> = {
  zh: async () => (await import('./zh/catalog.ts')).zh,
  tw: async () => (await import('./tw/catalog.ts')).tw,
  en: async () => (await import('./en/catalog.ts')).en,
}

export type Speech = { language: Language; t: Translate }

/** The active language with its texts; null until the first catalog is there. */
export const speech = createStore<Speech | null>(null)

export function storedLanguage(): Language {
  try {
    const kept = window.localStorage.getItem(STORAGE_KEY)
    return languages.find((language) => language === kept) ?? DEFAULT_LANGUAGE
  } catch {
    return DEFAULT_LANGUAGE
  }
}

/** Loads and speaks a language. Rejects when its catalog cannot be fetched; the old one then stays. */
export async function speak(language: Language): Promise<void> {
  const messages = await catalogs[language]()
  document.documentElement.lang = languageTag[language]
  speech.set({ language, t: translator(messages) })
}

export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  try {
    window.localStorage.setItem(STORAGE_KEY, language)
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}
