import { type ComponentType, useEffect, useState } from 'react'
import { translate } from '../i18n/use-translation.ts'
import { type Store, useStore } from '../lib/store.ts'
import { loadScreen, type ScreenFiles } from '../navigation/lazy-screen.ts'
import { showToast } from '../ui/overlay/toast.tsx'

type Props<T> = {
  /** Null while the dialog is closed. */
  open: Store<T | null>
  files: ScreenFiles<object>
  /** Its code could not be fetched: whoever waits for an answer gets none. */
  onFailure?: (asked: T) => void
}

/** A dialog whose code and texts are fetched when it opens for the first time. */
export function LazyDialog<T>({ open, files, onFailure }: Props<T>) {
  const asked = useStore(open)
  const [Dialog, setDialog] = useState<ComponentType | null>(null)
  const isMissing = asked !== null && Dialog === null
  useEffect(() => {
    if (!isMissing) return
    loadScreen(files).then(
      (module) => setDialog(() => module.default),
      () => {
        const waiting = open.get()
        open.set(null)
        if (waiting !== null) onFailure?.(waiting)
        showToast('error', translate('http.connect'))
      },
    )
  }, [isMissing, files, open, onFailure])
  return Dialog === null ? null : <Dialog />
}
