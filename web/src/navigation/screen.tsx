import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Icon } from '../ui/picture/icon.tsx'
import { useRouter } from './router-context.ts'
import { entries, HOME, routes } from './routes.ts'
import type { Path } from './routes.ts'

const isEntry = (path: Path) => entries.some((entry) => entry === path)

/** The frame of an inner screen: its title, and a way back where it is not an entry of the header. */
export function Screen({ path, children }: { path: Path; children: ReactNode }) {
  const { t } = useTranslation()
  const router = useRouter()
  // A link that was opened directly has no place inside the app behind it.
  const goBack = () => (router.cameFromInside() ? window.history.back() : router.go(HOME))
  return (
    <div className="screen">
      <div className="screen-head" data-entry={isEntry(path) || undefined}>
        {!isEntry(path) && (
          <button type="button" className="icon-button" aria-label={t('nav.back')} onClick={goBack}>
            <Icon name="back" />
          </button>
        )}
        <h1>{t(routes[path].title)}</h1>
      </div>
      {children}
    </div>
  )
}
