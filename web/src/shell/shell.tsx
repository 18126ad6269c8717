import { useEffect, useRef } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { ExplainHost } from '../ui/overlay/explain.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { useOnline } from '../lib/use-online.ts'
import { useStore } from '../lib/store.ts'
import { ToastHost } from '../ui/overlay/toast.tsx'
import { AccountSheet } from './account-sheet.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { Header } from './header.tsx'
import { InvitationSheet } from './invitation-sheet.tsx'
import { LanguageSheet } from './language-sheet.tsx'
import { NetworkDialog } from './network-dialog.tsx'
import { Outlet } from './outlet.tsx'
import type { Screens } from '../navigation/lazy-screen.ts'
import { useApp } from '../session/app-context.tsx'
import { routes } from '../navigation/routes.ts'
import { WalletChooser } from './wallet-chooser.tsx'

const themeColors = { dark: '#0c0b0a', light: '#ffffff' }

/** What stands around every screen. */
export function Shell({ screens }: { screens: Screens }) {
  const { t } = useTranslation()
  const { router, session } = useApp()
  const { path } = useStore(router.place)
  const { address } = useStore(session)
  const { theme, title } = routes[path]
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColors[theme])
    document.title = path === '/index' ? `Candela · ${t(title)}` : `${t(title)} · Candela`
  }, [path, t, theme, title])

  useEffect(
    () =>
      router.onArrival(() => {
        // Screen readers follow the focus to the new screen, as the page did not really load.
        main.current?.focus({ preventScroll: true })
      }),
    [router],
  )

  return (
    <>
      <Header />
      <main ref={main} tabIndex={-1} data-path={path}>
        <OfflineNotice />
        {/* Another account, another set of screens: nothing of the last one stays behind. */}
        <Outlet key={address} screens={screens} />
      </main>
      <LanguageSheet />
      <AccountSheet />
      <InvitationSheet />
      <DeviceDialog />
      <WalletChooser />
      <ExplainHost />
      <NetworkDialog />
      <ToastHost />
    </>
  )
}

function OfflineNotice() {
  const { t } = useTranslation()
  const online = useOnline()
  if (online) return null
  return (
    <output className="offline-notice">
      <Icon name="offline" size={18} />
      {t('state.offlineNotice')}
    </output>
  )
}
