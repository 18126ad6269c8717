import type { Language } from '../language.ts'
import type { ApiTexts } from './types.ts'
import * as en from './en.ts'
import * as tw from './tw.ts'
import * as zh from './zh.ts'

/** What the API says, by language. */
export const apiTexts: Readonly<Record<Language, ApiTexts>> = { zh, tw, en }
