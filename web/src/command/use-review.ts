import { useState } from 'react'

/** current: they can be agreed to. moved: others hold now. asking: nobody knows which hold now. */
export type ReviewState = 'current' | 'moved' | 'asking'

export type Review<Terms> = {
  isOpen: boolean
  /** The terms that the review was opened for the last time: they stay while it glides out. */
  terms: Terms | null
  state: ReviewState
  open: (terms: Terms) => void
  /** Goes on with the terms that hold now. */
  renew: () => void
  close: () => void
}

/**
 * The terms that are looked at before they are agreed to. They stay as they were when somebody opened the review, while the live ones
 * go on moving, fail to come, or come back: nothing changes under a finger, and nothing opens by itself.
 * @param live what holds now; null while it is not known
 * @param holds whether terms that were opened before can still be agreed to
 */
export function useReview<Terms>(live: Terms | null, holds: (terms: Terms, live: Terms) => boolean): Review<Terms> {
  const [isOpen, setOpen] = useState(false)
  const [terms, setTerms] = useState<Terms | null>(null)
  const state = terms === null || live === null ? 'asking' : holds(terms, live) ? 'current' : 'moved'
  return {
    isOpen,
    terms,
    state,
    open: (agreed) => {
      setTerms(agreed)
      setOpen(true)
    },
    renew: () => live !== null && setTerms(live),
    close: () => setOpen(false),
  }
}
