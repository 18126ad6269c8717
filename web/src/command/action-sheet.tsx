import { type ReactNode, useState } from 'react'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'

type Props = {
  open: boolean
  title: string
  /** The text of the button. */
  action: string
  /** Something is missing; a tap then says what. */
  dimmed?: boolean
  /** Resolves when the outcome is known, or when it is certain that it cannot be known. Never rejects. */
  run: () => Promise<void>
  close: () => void
  /** Beneath the button. */
  besides?: ReactNode
  children: ReactNode
}

/** A sheet with the terms of a command and the one button that sends it. While it is being sent the sheet stays. */
export function ActionSheet({ open, title, action, dimmed = false, run, close, besides, children }: Props) {
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await run()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      open={open}
      title={title}
      onClose={() => !busy && close()}
      footer={
        <>
          <Button block look="primary" busy={busy} dimmed={dimmed} onClick={() => void act()}>
            {action}
          </Button>
          {besides}
        </>
      }
    >
      {children}
    </Sheet>
  )
}
