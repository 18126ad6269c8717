import { type ComponentType, lazy } from 'react'
import { loadTexts } from '../i18n/language.ts'
import { textsOf } from '../texts/texts-of.ts'
import { loadFile } from '../lib/load-file.ts'
import { untilIdle } from '../lib/until-idle.ts'
import type { Path } from './routes.ts'

export type Screens = Readonly<Record<Path, ComponentType<{ path: Path }>>>

/** A screen's code, and the areas of texts that it shows beside those of the first load. */
export type ScreenFiles<Props extends object> = {
  code: () => Promise<{ default: ComponentType<Props> }>
  texts: readonly string[]
}

/** Loads both at once. Rejects when either cannot be fetched. */
export const loadScreen = async <Props extends object>({ code, texts }: ScreenFiles<Props>) =>
  (await Promise.all([loadFile(code), loadTexts(...texts.map(textsOf))]))[0]

/** Loads one after the other while the page has nothing else to do, so that no tap waits for their evaluation. */
export async function loadWhenIdle(all: readonly ScreenFiles<never>[]): Promise<void> {
  for (const each of all) {
    await untilIdle()
    // A file that did not come is asked for again when it is visited.
    await loadScreen(each).catch(() => undefined)
  }
}

/** A screen that is loaded with its first visit. */
export const lazyScreen = <Props extends object>(files: ScreenFiles<Props>) => lazy(() => loadScreen(files))
