import { DEFAULT_LANGUAGE, languages, languageTag, type Language } from '@candela/protocol/language'
import { loadFile } from '../lib/load-file.ts'
import { openStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import { translator, type Translate } from './translate.ts'

/** How one folder's texts are fetched. One language is loaded at a time: nobody reads three at once. */
export type TextLoaders = Readonly<Record<Language, () => Promise<{ texts: Readonly<Record<string, string>> }>>>

export type Locale = { language: Language; t: Translate }

/** The active language with its texts; null until the first ones are there. */
export const locale = createStore<Locale | null>(null)

export function storedLanguage(): Language {
  const kept = openStorage().get('lang')
  return languages.find((language) => language === kept) ?? DEFAULT_LANGUAGE
}

/** The texts of each language that have been fetched. Nothing is dropped: all texts of a language take about 30 kB. */
const messages = Object.fromEntries(languages.map((language) => [language, {}])) as Record<
  Language,
  Record<string, string>
>

/** The loaders whose texts are in `messages`. */
const fetched = new Set<TextLoaders[Language]>()

async function fetchTexts(load: TextLoaders[Language], language: Language): Promise<void> {
  if (fetched.has(load)) return
  Object.assign(messages[language], (await loadFile(load)).texts)
  fetched.add(load)
}

/** The texts that are on screen or were: a language is active only once it has all of these. */
const inUse = new Set<TextLoaders>()

/** The language that was asked for last. One that was asked for earlier and arrives later does not become active. */
let wanted: Language = DEFAULT_LANGUAGE

const activeLanguage = () => locale.get()?.language ?? wanted

/** Loads the first texts in the stored language. Rejects when they cannot be fetched. */
export function startLanguage(initial: TextLoaders): Promise<void> {
  inUse.add(initial)
  return setLanguage(storedLanguage())
}

/** Makes a language active, once all texts in use are there in it. Rejects when they cannot be fetched; the old one then stays. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  const missing = () => [...inUse].map((loaders) => loaders[language]).filter((load) => !fetched.has(load))
  try {
    // While these are on their way a screen may open, with texts in the old language.
    while (missing().length > 0) await Promise.all(missing().map((load) => fetchTexts(load, language)))
  } catch (error) {
    if (wanted === language) wanted = activeLanguage()
    throw error
  }
  if (wanted !== language || locale.get()?.language === language) return
  document.documentElement.lang = languageTag[language]
  locale.set({ language, t: translator(messages[language]) })
}

/** Brings texts in the active language, and from then on in any other that becomes active. Rejects when they cannot be fetched. */
export async function loadTexts(...all: readonly TextLoaders[]): Promise<void> {
  let language: Language
  do {
    language = activeLanguage()
    await Promise.all(all.map((loaders) => fetchTexts(loaders[language], language)))
    // The language may have changed meanwhile.
  } while (language !== activeLanguage())
  for (const loaders of all) inUse.add(loaders)
}

export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language)
  openStorage().set('lang', language)
}
