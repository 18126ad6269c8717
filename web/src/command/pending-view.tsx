import { useEffect } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { useStore } from '../lib/store.ts'
import { useNow } from '../lib/use-now.ts'
import { useOnline } from '../lib/use-online.ts'
import { useApp } from '../session/app-context.tsx'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { CommandNote } from './command-sheet.tsx'
import { figureOf, labelOf } from './describe-command.ts'
import { isUnderWay, inquiryOf, showPending, tell, pendingOf } from './send-command.ts'
import type { PendingCommand } from './pending-commands.ts'

/** PendingCommands whose outcome is not known: said on every screen, because a reload or another tab has forgotten the form that they came from. */
export default function PendingView() {
  return (
    <>
      <PendingNotices />
      <OutcomeSheet />
    </>
  )
}

/** An answer that comes in this time is not missing, in milliseconds: another tab may be waiting for it. */
const EXPECTED_MS = 3_000
/** How often it is asked what became of one, in milliseconds. */
const LOOK_EVERY_MS = 5_000

function PendingNotices() {
  const { t } = useTranslation()
  const app = useApp()
  const { address, token } = useStore(app.session)
  const all = useStore(pendingOf(app).all)
  const shown = useStore(inquiryOf(app).shown)
  const now = useNow()
  const isMissing = (command: PendingCommand) =>
    command.account === address.toLowerCase() && !isUnderWay(command) && Math.abs(now - command.at) > EXPECTED_MS
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === null || key === 'pendingCommands') pendingOf(app).refresh()
    }
    window.addEventListener('storage', follow)
    // Another tab may have written before this was loaded.
    pendingOf(app).refresh()
    return () => window.removeEventListener('storage', follow)
  }, [app])
  const missing = token === '' ? [] : (all ?? []).filter(isMissing)
  useQuietLook(shown === null ? missing[0] : undefined)
  return missing.map((command) => (
    <output className="shell-notice" key={command.requestId}>
      <Icon name="clock" size={18} />
      <span>{t('pending.notice', { what: [labelOf(command), figureOf(command)].filter(Boolean).join(' · ') })}</span>
      <button type="button" className="notice-action" onClick={() => void showPending(app, command)}>
        {t('pending.show')}
      </button>
    </output>
  ))
}

/** Looks by itself what became of a command, and says it once it is known. */
function useQuietLook(command: PendingCommand | undefined): void {
  const app = useApp()
  const online = useOnline()
  useEffect(() => {
    if (command === undefined || !online) return undefined
    const look = async () => {
      const ended = await inquiryOf(app).lookQuietly(command)
      if (ended !== null) tell(command, ended)
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
    // One command is the same in every list that it is read into.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [app, online, command?.requestId])
}

const notes = { looking: 'pending.looking', underWay: 'pending.underWay', unknown: 'pending.unknown' } as const

function OutcomeSheet() {
  const { t } = useTranslation()
  const app = useApp()
  const { shown: store, lookAgain, sendAgain, giveUp, close } = inquiryOf(app)
  const shown = useStore(store)
  const { token } = useStore(app.session)
  useEffect(() => {
    if (token === '') close()
  }, [token, close])
  const act = shown?.act ?? null
  return (
    <Sheet
      open={shown !== null}
      title={t('pending.title')}
      onClose={close}
      footer={
        shown?.known === 'unknown' ? (
          <>
            <Button block look="primary" busy={act === 'send'} onClick={sendAgain}>
              {t('pending.send')}
            </Button>
            <Button block busy={act === 'giveUp'} onClick={giveUp}>
              {t('pending.giveUp')}
            </Button>
          </>
        ) : (
          <Button block look="primary" busy={act !== null} onClick={lookAgain}>
            {t('pending.lookAgain')}
          </Button>
        )
      }
    >
      {shown !== null && (
        <div className="command">
          <dl className="rows">
            <div className="row">
              <dt>{labelOf(shown.command)}</dt>
              <dd>{figureOf(shown.command)}</dd>
            </div>
          </dl>
          <CommandNote text={t(notes[shown.known])} isProblem={false} />
        </div>
      )}
    </Sheet>
  )
}
