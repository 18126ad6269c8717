import type { tw } from './tw/catalog.ts'

/** The default language decides which keys exist and which values each text takes. */
type Catalog = typeof tw
export type MessageKey = keyof Catalog
export type Messages = Readonly<Record<MessageKey, string>>

/** Names in braces: "還差 {units} 升至 {level}" needs `units` and `level`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer After}` ? Name | Names<After> : never
export type MessageValues<K extends MessageKey> = Readonly<Record<Names<Catalog[K]>, string | number>>

/** Keys of texts that need no values: the ones that tables of keys hold. */
export type PlainKey = { [K in MessageKey]: [Names<Catalog[K]>] extends [never] ? K : never }[MessageKey]

type Rest<K extends MessageKey> = [Names<Catalog[K]>] extends [never] ? [] : [values: MessageValues<K>]

export type Translate = <K extends MessageKey>(key: K, ...rest: Rest<K>) => string

export const translator =
  (messages: Messages): Translate =>
  (key, ...rest) =>
    fill(messages[key], rest[0] ?? {})

/** Fills `{name}` from the values. A name without a value stays visible rather than vanish from a sentence about money. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
