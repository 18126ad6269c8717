import { fillMessage } from '@candela/protocol/codes/fill-message'

/**
 * Every text of the app by its key. Each file of `texts/tw/` adds its own: the default language decides which keys exist and
 * which values each text takes.
 */
export interface Messages {}

export type MessageKey = keyof Messages

/** Names in braces: "還差 {units} 升至 {level}" needs `units` and `level`. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer After}` ? Name | Names<After> : never
export type MessageValues<K extends MessageKey> = Readonly<Record<Names<Messages[K]>, string | number>>

/** Keys of texts that need no values: the ones that tables of keys hold. */
export type PlainKey = { [K in MessageKey]: [Names<Messages[K]>] extends [never] ? K : never }[MessageKey]

type Rest<K extends MessageKey> = [Names<Messages[K]>] extends [never] ? [] : [values: MessageValues<K>]

export type Translate = <K extends MessageKey>(key: K, ...rest: Rest<K>) => string

/** A text that has not been loaded is shown as its key: see `loadTexts`. */
export const translator =
  (messages: Readonly<Record<string, string>>): Translate =>
  (key, ...rest) =>
    fillMessage(messages[key] ?? key, rest[0] ?? {})
