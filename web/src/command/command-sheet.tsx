import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import './command-sheet.css'

type Props = {
  /**
   * How far the command has come; null while there is none. It ends as `done` or `failed`. While it is `sending` the
   * sheet cannot be closed, because the person has to see how it ends. The other steps are the screen's own.
   */
  step: string | null
  title: string
  doneTitle: string
  /** The button of a step that is not an end. */
  action: ReactNode
  close: () => void
  /** Closes after the command was done. */
  done: () => void
  children: ReactNode
}

/** A command that moves money, from its summary to its receipt. */
export function CommandSheet({ step, title, doneTitle, action, close, done, children }: Props) {
  const isDone = step === 'done'
  const end = isDone ? done : close
  return (
    <Sheet
      open={step !== null}
      title={isDone ? doneTitle : title}
      {...(step === 'sending' ? { persistent: true } : { onClose: end })}
      footer={
        <NextAction step={step} end={end}>
          {action}
        </NextAction>
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

/** Says what is going on, or what went wrong. */
export const CommandNote = ({ text, isProblem }: { text: string; isProblem: boolean }) => (
  <p className="command-note" role={isProblem ? 'alert' : 'status'} data-trouble={isProblem || undefined}>
    {isProblem && <Icon name="alert" size={20} />}
    <span>{text}</span>
  </p>
)

type NextActionProps = { step: string | null; end: () => void; children: ReactNode }

/** The one button of each step. */
function NextAction({ step, end, children }: NextActionProps) {
  const { t } = useTranslation()
  if (step === 'done')
    return (
      <Button block look="primary" onClick={end}>
        {t('command.close')}
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
