import { useTranslation } from '../i18n/use-translation.ts'
import { Icon, type IconName } from '../ui/picture/icon.tsx'
import { shorten } from '../lib/format.ts'
import { useStore } from '../lib/store.ts'
import { walletStore } from '../wallet/wallet.ts'
import { accountSheet, languageSheet } from './dialogs.ts'
import { RouteLink } from '../navigation/route-link.tsx'
import { useRouter } from '../navigation/router-context.ts'
import { useApp } from '../session/app-context.tsx'
import { entries, routes } from '../navigation/routes.ts'
import { useRead } from '../api/use-read.ts'

const POLL_MS = 30_000

/** How many notices wait to be read, and the way to them; only for who is signed in. */
function Bell() {
  const { t } = useTranslation()
  const { router, session } = useApp()
  const { token } = useStore(session)
  const { data } = useRead('GET notice/list', { limit: '1' }, { enabled: token !== '', pollMs: () => POLL_MS })
  if (token === '') return null
  const unread = data?.unread ?? 0
  return (
    <button
      type="button"
      className="icon-button bell"
      aria-label={unread === 0 ? t('notice.bell') : t('notice.bellUnread', { count: unread })}
      onClick={() => router.go('/notices')}
    >
      <Icon name="bell" />
      {unread > 0 && <span className="bell-count">{unread > 99 ? '99+' : unread}</span>}
    </button>
  )
}

const entryIcons: Record<(typeof entries)[number], IconName> = {
  '/index': 'home',
  '/lever': 'lever',
  '/lending': 'lending',
  '/finance': 'finance',
  '/project': 'project',
}

/** Logo, language and wallet above; the five entries below, within reach of the thumb. A wide screen has them all in one bar. */
export function Header() {
  const { t } = useTranslation()
  return (
    <header className="top">
      <div className="top-bar">
        <RouteLink to="/index" className="logo" label={t('nav.logo')}>
          <Flame />
          <span>Candela</span>
        </RouteLink>
        <Entries />
        <button
          type="button"
          className="icon-button"
          aria-haspopup="dialog"
          aria-label={t('language.button')}
          onClick={() => languageSheet.set(true)}
        >
          <Icon name="globe" />
        </button>
        <Bell />
        <WalletButton />
      </div>
    </header>
  )
}

function Entries() {
  const { t } = useTranslation()
  const { path } = useStore(useRouter().place)
  return (
    <nav className="entries" aria-label={t('nav.label')}>
      {entries.map((entry) => (
        <RouteLink key={entry} to={entry} current={path === entry}>
          <Icon name={entryIcons[entry]} />
          <span>{t(routes[entry].title)}</span>
        </RouteLink>
      ))}
    </nav>
  )
}

function WalletButton() {
  const { t } = useTranslation()
  const { session, signIn } = useApp()
  const { address: signedInAs } = useStore(session)
  const wallet = useStore(walletStore)
  const { step } = useStore(signIn.state)
  const address = signedInAs === '' ? wallet.address : signedInAs
  if (address === null)
    return (
      <button type="button" className="wallet-button" aria-busy={step !== 'idle'} onClick={() => void signIn.connect()}>
        {t('wallet.connect')}
      </button>
    )
  return (
    <button
      type="button"
      className="wallet-button"
      data-known
      aria-haspopup="dialog"
      aria-label={t('wallet.account', { address: shorten(address) })}
      onClick={() => accountSheet.set(true)}
    >
      {shorten(address)}
    </button>
  )
}

const Flame = () => (
  <svg width="22" height="28" viewBox="0 0 22 28" aria-hidden="true">
    <path d="M11 1c4.600 5.300 7 9.200 7 12.900a7 7 0 0 1-14 0C4 10.200 6.400 6.300 11 1Z" className="flame" />
    <path d="M11 23.500v3.500" className="wick" />
  </svg>
)
