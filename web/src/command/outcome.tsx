import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import './outcome.css'

/** How a command that moves money ends: done, refused in so many words, or open because no answer came. */
export const DoneMark = () => (
  <span className="outcome-done">
    <Icon name="check" size={28} />
  </span>
)

/** What is going on, or what went wrong. */
export const OutcomeNote = ({ text, trouble }: { text: string; trouble: boolean }) => (
  <p className="outcome-note" role={trouble ? 'alert' : 'status'} data-trouble={trouble || undefined}>
    {trouble && <Icon name="alert" size={20} />}
    <span>{text}</span>
  </p>
)

type Props = {
  /** `done`, `failed` and `unanswered` are ends; with everything else the way on is the screen's own. */
  stage: string
  askAgain: () => void
  end: () => void
  children: ReactNode
}

/** The one way on from where the command stands. */
export function OutcomeActions({ stage, askAgain, end, children }: Props) {
  const { t } = useTranslation()
  switch (stage) {
    case 'done':
      return (
        <Button block look="primary" onClick={end}>
          {t('outcome.close')}
        </Button>
      )
    case 'unanswered':
      return (
        <Button block look="primary" onClick={askAgain}>
          {t('outcome.askAgain')}
        </Button>
      )
    case 'failed':
      return (
        <Button block onClick={end}>
          {t('outcome.edit')}
        </Button>
      )
    default:
      return children
  }
}
