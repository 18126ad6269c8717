import type { first } from './tw/first.ts'
import type { inner } from './tw/inner.ts'

/** The default language decides which keys exist and which values each text takes. */
type Catalog = typeof first & typeof inner
export type MessageKey = keyof Catalog
/** Texts of the first load, and those that come with the first screen behind home. */
export type InitialMessages = Readonly<Record<keyof typeof first, string>>
export type DeferredMessages = Readonly<Record<keyof typeof inner, string>>

/** Names in braces: "還差 {units} 升至 {level}" needs `units` and `level`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer After}` ? Name | Names<After> : never
export type MessageValues<K extends MessageKey> = Readonly<Record<Names<Catalog[K]>, string | number>>

/** Keys of texts that need no values: the ones that tables of keys hold. */
export type PlainKey = { [K in MessageKey]: [Names<Catalog[K]>] extends [never] ? K : never }[MessageKey]

type Rest<K extends MessageKey> = [Names<Catalog[K]>] extends [never] ? [] : [values: MessageValues<K>]

export type Translate = <K extends MessageKey>(key: K, ...rest: Rest<K>) => string

/** A text that is not there yet is its key: see `loadDeferredTexts`. */
export const translator =
  (messages: Partial<InitialMessages & DeferredMessages>): Translate =>
  (key, ...rest) =>
    fill(messages[key] ?? key, rest[0] ?? {})

/** Fills `{name}` from the values. A name without a value stays visible rather than vanish from a sentence about money. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
