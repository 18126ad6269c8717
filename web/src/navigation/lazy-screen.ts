import { type ComponentType, lazy } from 'react'
import { loadDeferredTexts } from '../i18n/language.ts'

import type { Path } from './routes.ts'

export type Screens = Readonly<Record<Path, ComponentType<{ path: Path }>>>

/** A screen whose code comes with its first visit, and beside it the texts that the first load goes without. */
export const lazyScreen = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => (await Promise.all([load(), loadDeferredTexts()]))[0])
