import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'

/** How long people wait without a word, in milliseconds. */
const PATIENCE_MS = 5_000

/** Stands below what is being loaded, once that has taken long. */
export function SlowNote() {
  const { t } = useTranslation()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return <output className="slow-note muted small">{slow && t('state.slow')}</output>
}
