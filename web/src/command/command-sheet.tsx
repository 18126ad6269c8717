import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import './command-sheet.css'

type Props = {
  /**
   * How far the command has come; null while there is none. It ends as `done`, as `failed` in so many words, or as
   * `pending`. `sending` cannot be waved away, because its end has to be seen. The other steps are the screen's own.
   */
  step: string | null
  title: string
  doneTitle: string
  /** The way on from a step that is no end. */
  action: ReactNode
  askAgain: () => void
  close: () => void
  /** Closes after the command was done. */
  done: () => void
  children: ReactNode
}

/** A command that moves money, from its summary to its receipt. */
export function CommandSheet({ step, title, doneTitle, action, askAgain, close, done, children }: Props) {
  const isDone = step === 'done'
  const end = isDone ? done : close
  return (
    <Sheet
      open={step !== null}
      title={isDone ? doneTitle : title}
      {...(step === 'sending' ? { persistent: true } : { onClose: end })}
      footer={
        <Way step={step} askAgain={askAgain} end={end}>
          {action}
        </Way>
      }
    >
      <div className="command">
        {isDone && (
          <span className="command-done">
            <Icon name="check" size={28} />
          </span>
        )}
        {children}
      </div>
    </Sheet>
  )
}

/** What is going on, or what went wrong. */
export const CommandNote = ({ text, trouble }: { text: string; trouble: boolean }) => (
  <p className="command-note" role={trouble ? 'alert' : 'status'} data-trouble={trouble || undefined}>
    {trouble && <Icon name="alert" size={20} />}
    <span>{text}</span>
  </p>
)

type WayProps = { step: string | null; askAgain: () => void; end: () => void; children: ReactNode }

/** The one way on from where the command stands. */
function Way({ step, askAgain, end, children }: WayProps) {
  const { t } = useTranslation()
  if (step === 'done')
    return (
      <Button block look="primary" onClick={end}>
        {t('command.close')}
      </Button>
    )
  if (step === 'noAnswer')
    return (
      <Button block look="primary" onClick={askAgain}>
        {t('command.askAgain')}
      </Button>
    )
  if (step === 'failed')
    return (
      <Button block onClick={end}>
        {t('command.edit')}
      </Button>
    )
  return children
}
