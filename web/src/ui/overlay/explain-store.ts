import type { ReactNode } from 'react'
import { createStore } from '../../lib/store.ts'

/** Where a figure comes from: a sentence, and the inputs that it can be recomputed with. */
export type Explanation = {
  title: string
  value?: ReactNode
  text: string
  inputs?: readonly { label: string; value: ReactNode }[]
}

export const explanation = createStore<Explanation | null>(null)

export const explain = (next: Explanation): void => explanation.set(next)
