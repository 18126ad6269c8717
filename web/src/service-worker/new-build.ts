import { createStore } from '../lib/store.ts'

/** Reloads this page with the build that is ready; null while there is none but this one. */
export const newBuild = createStore<(() => void) | null>(null)
