import { useCallback, useEffect, useRef, type ComponentType, useState } from 'react'
import { useRead } from '../api/use-read.ts'
import { useTranslation, translate } from '../i18n/use-translation.ts'
import { explanation } from '../ui/overlay/explain-store.ts'
import { Icon } from '../ui/picture/icon.tsx'
import { useOnline } from '../lib/use-online.ts'
import { useStore, type Store } from '../lib/store.ts'
import { hasPending } from '../command/has-pending.ts'
import { ToastHost, showToast } from '../ui/overlay/toast.tsx'
import { Header } from './header.tsx'
import {
  accountSheet,
  deviceDialog,
  fileSheet,
  invitationSheet,
  languageSheet,
  networkDialog,
  openInWallet,
  walletChoice,
  walletPairing,
} from './dialogs.ts'
import { dialogFiles } from './dialog-files.ts'
import { Outlet } from './outlet.tsx'
import { type Screens, loadScreen, type ScreenFiles } from '../navigation/lazy-screen.ts'
import { useApp } from '../session/app-context.tsx'
import { themeColors } from '../navigation/first-paint.ts'
import { routes } from '../navigation/routes.ts'
import { newBuild } from '../service-worker/new-build.ts'

type LazyDialogProps<T> = {
  /** Null while the dialog is closed. */
  open: Store<T | null>
  files: ScreenFiles<object>
  /** Its code could not be fetched: whoever waits for an answer gets none. */
  onFailure?: (asked: T) => void
}

/** A dialog whose code and texts are fetched when it opens for the first time. */
function LazyDialog<T>({ open, files, onFailure }: LazyDialogProps<T>) {
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

const closePairing = ({ cancel }: { cancel: () => void }) => cancel()
const closeChooser = ({ answer }: { answer: (id: null) => void }) => answer(null)

/** The frame around every screen. */
export function Shell({ screens }: { screens: Screens }) {
  const { t } = useTranslation()
  const app = useApp()
  // A page that has sent a command has loaded this file.
  const endInquiry = useCallback(
    () =>
      void import('../command/send-command.ts').then(
        ({ inquiryOf }) => inquiryOf(app).close(),
        () => undefined,
      ),
    [app],
  )
  const { router, session } = app
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
        <ChainNotice />
        <NewBuildNotice />
        <LazyDialog open={hasPending(app)} files={dialogFiles.pending} onFailure={endInquiry} />
        {/* Another account, another set of screens: nothing of the last one stays behind. */}
        <Outlet key={address} screens={screens} />
      </main>
      <LazyDialog open={languageSheet} files={dialogFiles.language} />
      <LazyDialog open={accountSheet} files={dialogFiles.account} />
      <LazyDialog open={invitationSheet} files={dialogFiles.invitation} />
      <LazyDialog open={deviceDialog} files={dialogFiles.devices} />
      <LazyDialog open={fileSheet} files={dialogFiles.file} />
      <LazyDialog open={walletChoice} files={dialogFiles.wallets} onFailure={closeChooser} />
      <LazyDialog open={walletPairing} files={dialogFiles.pairing} onFailure={closePairing} />
      <LazyDialog open={explanation} files={dialogFiles.explanation} />
      <LazyDialog open={openInWallet} files={dialogFiles.openInWallet} />
      <LazyDialog open={networkDialog} files={dialogFiles.network} />
      <ToastHost />
    </>
  )
}

function OfflineNotice() {
  const { t } = useTranslation()
  const online = useOnline()
  if (online) return null
  return (
    <output className="shell-notice" data-offline>
      <Icon name="offline" size={18} />
      {t('state.offlineNotice')}
    </output>
  )
}

const CHAIN_POLL_MS = 30_000

/** Payments wait while the chain stands still: said on every screen, because people pay and look for it on many. */
function ChainNotice() {
  const { t } = useTranslation()
  const { data } = useRead('GET home/public', {}, { pollMs: () => CHAIN_POLL_MS })
  if (data?.chainDelayed !== true) return null
  return (
    <output className="shell-notice">
      <Icon name="clock" size={18} />
      {t('state.chainDelayed')}
    </output>
  )
}

/** Nobody's page is replaced under the fingers: the new build waits for a tap. */
function NewBuildNotice() {
  const { t } = useTranslation()
  const reload = useStore(newBuild)
  if (reload === null) return null
  return (
    <output className="shell-notice">
      {t('state.newBuild')}
      <button type="button" className="notice-action" onClick={reload}>
        {t('state.reload')}
      </button>
    </output>
  )
}
