import { createContext, use, useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createStore, type Store, useStore } from '../../lib/store.ts'

type Failure = { id: string; reason: string; retry: () => void }

/** The failures, in the order in which they became known. */
const Failures = createContext<Store<readonly Failure[]>>(createStore<readonly Failure[]>([]))

/** A part of the app within which the same reason is said once: a screen, a sheet. */
export function FailureGroup({ children }: { children: ReactNode }) {
  const [failures] = useState(() => createStore<readonly Failure[]>([]))
  return <Failures value={failures}>{children}</Failures>
}

type Props = {
  reason: string
  retry: () => void
  /** @param retryAll tries again what failed for the same reason */
  children: (retryAll: () => void) => ReactNode
}

/** A message about what cannot be shown: nothing where the group has said the same already. */
export function SaidOnce({ reason, retry, children }: Props) {
  const failures = use(Failures)
  const all = useStore(failures)
  const id = useId()
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  // Before anything is painted: no message may appear and vanish.
  useLayoutEffect(() => {
    failures.set([...failures.get(), { id, reason, retry: () => latest.current() }])
    return () => failures.set(failures.get().filter((failure) => failure.id !== id))
  }, [failures, id, reason])

  const same = () => failures.get().filter((failure) => failure.reason === reason)
  const first = all.find((failure) => failure.reason === reason)
  if (first !== undefined && first.id !== id) return null
  return children(() => {
    for (const failure of same()) failure.retry()
  })
}
