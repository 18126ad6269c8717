import { type ReactNode, useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { CommandNote } from './command-sheet.tsx'
import type { Review } from './use-review.ts'

type Props = {
  open: boolean
  title: string
  /** The text of the button. */
  action: string
  /** Something is missing; a tap then says what. */
  dimmed?: boolean
  /** The terms to agree to are being asked for. */
  waiting?: boolean
  /** The state of terms that move: the button is off while those on screen are not current. */
  review?: Pick<Review<unknown>, 'state' | 'renew'>
  /** Resolves when the outcome is known, or when it is certain that it cannot be known. Never rejects. */
  run: () => Promise<void>
  close: () => void
  /** Beneath the button. */
  besides?: ReactNode
  children: ReactNode
}

/** A sheet with the terms of a command and the one button that sends it. While it is being sent the sheet stays. */
export function ActionSheet({
  open,
  title,
  action,
  dimmed = false,
  waiting = false,
  review,
  run,
  close,
  besides,
  children,
}: Props) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await run()
    } finally {
      setBusy(false)
    }
  }
  // While it is being sent the terms that were agreed to are what counts.
  const state = busy ? 'current' : (review?.state ?? 'current')
  return (
    <Sheet
      open={open}
      title={title}
      onClose={() => !busy && close()}
      footer={
        <>
          {state !== 'current' && <CommandNote text={t(`command.${state}`)} isProblem={state === 'moved'} />}
          {state === 'moved' ? (
            <Button block onClick={review?.renew}>
              {t('command.renew')}
            </Button>
          ) : (
            <Button
              block
              look="primary"
              busy={busy || waiting || state === 'asking'}
              dimmed={dimmed}
              onClick={() => void act()}
            >
              {action}
            </Button>
          )}
          {besides}
        </>
      }
    >
      {children}
    </Sheet>
  )
}
