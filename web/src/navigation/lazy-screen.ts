import { type ComponentType, lazy } from 'react'
import { loadDeferredTexts } from '../i18n/language.ts'

import type { Path } from './routes.ts'

export type Screens = Readonly<Record<Path, ComponentType<{ path: Path }>>>

/** A screen whose code is loaded with its first visit, together with the deferred texts. */
export const lazyScreen = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => (await Promise.all([load(), loadDeferredTexts()]))[0])
