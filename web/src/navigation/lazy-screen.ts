import { type ComponentType, lazy } from 'react'
import { speakWhole } from '../i18n/language.ts'

/** A screen whose code comes with its first visit, and beside it the texts that the first load goes without. */
export const lazyScreen = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => (await Promise.all([load(), speakWhole()]))[0])
