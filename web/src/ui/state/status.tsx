import type { ReactNode } from 'react'

export type Tone = 'calm' | 'waiting' | 'good' | 'bad'

/** A state in one word. The dot shows the same by its colour, the word says it. */
export const Status = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className="status" data-tone={tone}>
    {children}
  </span>
)
