import { languageTag } from '@candela/protocol/language'
import { useEffect } from 'react'
import { CommandNote, CommandSheet } from '../../command/command-sheet.tsx'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatTime } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Countdown } from './quote-card.tsx'
import type { Exchange, Flow, Offer, Step } from './exchange-flow.ts'
import { explainFee, explainRate, explainReceived, type Terms } from './explain-terms.tsx'
import { TermsRows } from './terms-rows.tsx'

type Props = {
  flow: Flow
  confirm: () => void
  tick: () => Promise<void>
  close: () => void
  done: () => void
}

/**
 * From the summary to the receipt. A quote that ends or changes meanwhile is replaced on screen, and consent is asked
 * for again.
 */
export function ExchangeSheet({ flow, confirm, tick, close, done }: Props) {
  const { t } = useTranslation()
  const isOpen = flow !== null
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => void tick(), 500)
    return () => clearInterval(timer)
  }, [isOpen, tick])
  const step = flow?.step.kind
  return (
    <CommandSheet
      step={step ?? null}
      title={t('exchange.review')}
      doneTitle={t('exchange.doneTitle')}
      close={close}
      done={done}
      action={
        <Button block look="primary" busy={step === 'sending' || step === 'renewing'} onClick={confirm}>
          {step === 'moved' ? t('exchange.confirmNew') : t('exchange.confirm')}
        </Button>
      }
    >
      {flow !== null && <Contents offer={flow.offer} step={flow.step} />}
    </CommandSheet>
  )
}

function Contents({ offer, step }: { offer: Offer; step: Step }) {
  const { t } = useTranslation()
  const isDone = step.kind === 'done'
  return (
    <>
      <FromTo terms={isDone ? step.exchange : offer.quote} isDone={isDone} />
      {(step.kind === 'moved' || step.kind === 'renewing') && (
        <Moved
          oldOut={step.oldOut}
          newOut={step.kind === 'moved' ? offer.quote.amountOut : null}
          unit={offer.quote.to}
        />
      )}
      {isDone ? (
        <Receipt exchange={step.exchange} />
      ) : (
        <TermsRows quote={offer.quote}>
          {(step.kind === 'review' || step.kind === 'moved') && (
            <Row label={t('exchange.holds')} value={<Countdown endsAt={offer.endsAt} bare />} />
          )}
        </TermsRows>
      )}
      <StepNote step={step} />
    </>
  )
}

/** Shows what is paid and what comes out; the latter tells where it comes from. */
function FromTo({ terms, isDone }: { terms: Terms; isDone: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="exchange-from-to">
      <p>
        <span>{t('exchange.paid')}</span>
        <Amount value={terms.amountIn} unit={terms.from} digits={6} />
      </p>
      <Icon name="forward" />
      <button type="button" onClick={() => explain(explainReceived(t, terms, isDone))}>
        <span>{isDone ? t('exchange.got') : t('exchange.received')}</span>
        <Amount value={terms.amountOut} unit={terms.to} digits={6} />
      </button>
    </div>
  )
}

function Moved({ oldOut, newOut, unit }: { oldOut: string; newOut: string | null; unit: string }) {
  const { t } = useTranslation()
  return (
    <div className="exchange-moved" role="alert">
      <p className="exchange-moved-title">{newOut === null ? t('exchange.renewing') : t('exchange.movedTitle')}</p>
      <dl>
        <div>
          <dt>{t('exchange.before')}</dt>
          <dd>
            <Amount value={oldOut} unit={unit} digits={6} />
          </dd>
        </div>
        {newOut !== null && (
          <div>
            <dt>{t('exchange.nowGives')}</dt>
            <dd>
              <Amount value={newOut} unit={unit} digits={6} />
            </dd>
          </div>
        )}
      </dl>
      {newOut !== null && <p>{t('exchange.movedText')}</p>}
    </div>
  )
}

function Receipt({ exchange }: { exchange: Exchange }) {
  const { t, language } = useTranslation()
  const { from, to, rate, fee, exchangeNo, createdAt } = exchange
  return (
    <dl className="rows">
      <Row
        label={t('exchange.rate')}
        value={
          <>
            1 {from} = <Amount value={rate} unit={to} digits={6} />
          </>
        }
        from={explainRate(t, language, exchange)}
      />
      <Row
        label={t('exchange.fee')}
        value={<Amount value={fee} unit={to} digits={6} />}
        from={explainFee(t, exchange)}
      />
      <Row label={t('exchange.at')} value={formatTime(createdAt, languageTag[language])} />
      <Row
        label={t('exchange.no')}
        value={
          <span className="chain-link">
            <code>{exchangeNo}</code>
            <CopyButton text={exchangeNo} what={t('exchange.no')} />
          </span>
        }
      />
    </dl>
  )
}

const notes: Partial<Record<Step['kind'], PlainKey>> = {
  review: 'exchange.reviewNote',
  sending: 'exchange.sending',
}

function StepNote({ step }: { step: Step }) {
  const { t } = useTranslation()
  const key = notes[step.kind]
  const text = step.kind === 'failed' ? (step.message ?? t('exchange.noNewQuote')) : key === undefined ? null : t(key)
  if (text === null) return null
  return <CommandNote text={text} isProblem={step.kind === 'failed'} />
}
