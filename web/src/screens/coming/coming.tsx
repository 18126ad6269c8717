import { RouteLink } from '../../navigation/route-link.tsx'
import { routes, type Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon, type IconName } from '../../ui/picture/icon.tsx'
import './coming.css'

type Plan = { text: PlainKey; icon: IconName; next: Path }

/** What each closed screen will be for, and the open one nearest to it. */
const plans: Partial<Record<Path, Plan>> = {
  '/lever': { text: 'coming.lever', icon: 'lever', next: '/computing' },
}

/** A route whose screen is not open yet: a notice, and no figure that does not exist. */
export default function Coming({ path }: { path: Path }) {
  const { t } = useTranslation()
  const plan = plans[path]
  if (plan === undefined) return null
  return (
    <Screen path={path}>
      <div className="coming">
        <span className="coming-icon">
          <Icon name={plan.icon} size={40} />
        </span>
        <p className="coming-badge">{t('coming.badge')}</p>
        <p className="coming-text">{t(plan.text)}</p>
        <p className="muted small">{t('coming.promise')}</p>
        <RouteLink to={plan.next} className="button coming-go">
          <span>{t('coming.go', { where: t(routes[plan.next].title) })}</span>
          <Icon name="forward" size={18} />
        </RouteLink>
      </div>
    </Screen>
  )
}
