import type { Language } from '../language.ts'
import type { ApiTexts } from './types.ts'
import { texts as en } from './en.ts'
import { texts as tw } from './tw.ts'
import { texts as zh } from './zh.ts'

/** Texts of the API, by language. */
export const apiTexts: Readonly<Record<Language, ApiTexts>> = { zh, tw, en }
