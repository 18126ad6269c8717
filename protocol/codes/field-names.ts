import type { Key } from '../endpoints.ts'
import type { Language } from '../language.ts'
import { apiTexts } from '../texts/api-texts.ts'

/** The label of an input field; undefined for an unknown field. `key` is the endpoint, where one was called. */
export function fieldName(field: string, lang: Language, key?: Key): string | undefined {
  const { fields, placedFields }: Record<'fields' | 'placedFields', Readonly<Record<string, string>>> = apiTexts[lang]
  return placedFields[`${key} ${field}`] ?? fields[field]
}
