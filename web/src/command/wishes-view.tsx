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
import { figureOf, labelOf } from './describe-wish.ts'
import { isUnderWay, settlingOf, showWish, tell, wishesOf } from './send-command.ts'
import type { Wish } from './wishes.ts'

/** Wishes whose outcome is not known: said on every screen, because a reload or another tab has forgotten the form that they came from. */
export default function WishesView() {
  return (
    <>
      <PendingWishes />
      <WishSheet />
    </>
  )
}

/** An answer that comes in this time is not missing, in milliseconds: another tab may be waiting for it. */
const EXPECTED_MS = 3_000
/** How often it is asked what became of one, in milliseconds. */
const LOOK_EVERY_MS = 5_000

function PendingWishes() {
  const { t } = useTranslation()
  const app = useApp()
  const { address, token } = useStore(app.session)
  const all = useStore(wishesOf(app).all)
  const shown = useStore(settlingOf(app).shown)
  const now = useNow()
  const isMissing = (wish: Wish) =>
    wish.account === address.toLowerCase() && !isUnderWay(wish) && Math.abs(now - wish.at) > EXPECTED_MS
  const missing = token === '' ? [] : (all ?? []).filter(isMissing)
  useQuietLook(shown === null ? missing[0] : undefined)
  return missing.map((wish) => (
    <output className="shell-notice" key={wish.requestId}>
      <Icon name="clock" size={18} />
      <span>{t('wish.notice', { what: [labelOf(wish), figureOf(wish)].filter(Boolean).join(' · ') })}</span>
      <button type="button" className="notice-action" onClick={() => void showWish(app, wish)}>
        {t('wish.show')}
      </button>
    </output>
  ))
}

/** Looks by itself what became of a wish, and says it once it is known. */
function useQuietLook(wish: Wish | undefined): void {
  const app = useApp()
  const online = useOnline()
  useEffect(() => {
    if (wish === undefined || !online) return undefined
    let isOver = false
    const look = async () => {
      const ended = await settlingOf(app).lookQuietly(wish)
      if (ended !== null && !isOver) tell(wish, ended)
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
    // One wish is the same in every list that it is read into.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [app, online, wish?.requestId])
}

const notes = { looking: 'wish.looking', underWay: 'wish.underWay', unknown: 'wish.unknown' } as const

function WishSheet() {
  const { t } = useTranslation()
  const app = useApp()
  const { shown: store, lookAgain, sendAgain, giveUp, close } = settlingOf(app)
  const shown = useStore(store)
  const { token } = useStore(app.session)
  useEffect(() => {
    if (token === '') close()
  }, [token, close])
  const act = shown?.act ?? null
  return (
    <Sheet
      open={shown !== null}
      title={t('wish.title')}
      onClose={close}
      footer={
        shown?.known === 'unknown' ? (
          <>
            <Button block look="primary" busy={act === 'send'} onClick={sendAgain}>
              {t('wish.send')}
            </Button>
            <Button block busy={act === 'giveUp'} onClick={giveUp}>
              {t('wish.giveUp')}
            </Button>
          </>
        ) : (
          <Button block look="primary" busy={act !== null} onClick={lookAgain}>
            {t('wish.lookAgain')}
          </Button>
        )
      }
    >
      {shown !== null && (
        <div className="command">
          <dl className="rows">
            <div className="row">
              <dt>{labelOf(shown.wish)}</dt>
              <dd>{figureOf(shown.wish)}</dd>
            </div>
          </dl>
          <CommandNote text={t(notes[shown.known])} isProblem={false} />
        </div>
      )}
    </Sheet>
  )
}
