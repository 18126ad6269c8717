import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { CommandNote, CommandSheet } from '../../command/command-sheet.tsx'
import type { PlainKey, Translate } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { describeProblem } from '../../payment/wallet-problem.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatTime, shorten } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import type { Flow, MadeTransfer, Step, TransferTerms } from './transfer-flow.ts'

type Props = { flow: Flow; confirm: () => void; close: () => void; done: () => void }

/** From the summary to the receipt: what the wallet will show, what became of it, and what to do next. */
export function TransferSheet({ flow, confirm, close, done }: Props) {
  const { t } = useTranslation()
  const step = flow?.step
  return (
    <CommandSheet
      step={step?.kind ?? null}
      title={t('transfer.review')}
      doneTitle={t('transfer.doneTitle')}
      close={close}
      done={done}
      action={
        <Button block look="primary" busy={step?.kind === 'signing' || step?.kind === 'sending'} onClick={confirm}>
          {t('transfer.sign')}
        </Button>
      }
    >
      {flow !== null && (
        <>
          <ExactFigure terms={flow.terms} />
          {flow.step.kind === 'done' ? (
            <Receipt transfer={flow.step.transfer} terms={flow.terms} />
          ) : (
            <Terms terms={flow.terms} />
          )}
          <StepNote step={flow.step} from={flow.terms.from} />
        </>
      )}
    </CommandSheet>
  )
}

/** To the last unit, because that is what is signed. */
function ExactFigure({ terms: { amount, asset } }: { terms: TransferTerms }) {
  const { t } = useTranslation()
  const digits = fromBaseUnits(amount)
  const showDetails = () =>
    explain({
      title: t('transfer.amount'),
      value: <ExactAmount value={amount} unit={asset} />,
      text: t('transfer.amountFrom'),
    })
  return (
    <button type="button" className="transfer-figure" data-long={digits.length > 14 || undefined} onClick={showDetails}>
      <Amount value={amount} unit={asset} digits={18} />
    </button>
  )
}

function Terms({ terms: { to, toUid, asset } }: { terms: TransferTerms }) {
  const { t } = useTranslation()
  return (
    <dl className="rows">
      <Row label={t('transfer.to')} value={<code>{shorten(to)}</code>} note={`UID ${toUid}`} />
      <Row label={t('transfer.fee')} value={<Amount value="0" unit={asset} />} />
      <Row label={t('transfer.valid')} value={t('transfer.validFor')} />
    </dl>
  )
}

function Receipt({ transfer, terms }: { transfer: MadeTransfer; terms: TransferTerms }) {
  const { t, language } = useTranslation()
  return (
    <dl className="rows">
      <Row
        label={t('transfer.to')}
        value={<code>{transfer.counterparty.maskedAddress}</code>}
        note={`UID ${terms.toUid}`}
      />
      <Row label={t('transfer.fee')} value={<Amount value={transfer.fee} unit={transfer.asset} />} />
      <Row label={t('transfer.at')} value={formatTime(transfer.createdAt, languageTag[language])} />
      <Row
        label={t('transfer.no')}
        value={
          <span className="chain-link">
            <code>{transfer.transferNo}</code>
            <CopyButton text={transfer.transferNo} what={t('transfer.no')} />
          </span>
        }
      />
    </dl>
  )
}

const notes = {
  review: 'transfer.signNote',
  signing: 'transfer.signing',
  sending: 'transfer.sending',
  refused: 'transfer.refused',
} as const satisfies Record<Exclude<Step['kind'], 'done' | 'failed' | 'notSigned'>, PlainKey>

const isProblem = (step: Step) => ['refused', 'notSigned', 'failed'].includes(step.kind)

function StepNote({ step, from }: { step: Step; from: string }) {
  const { t } = useTranslation()
  if (step.kind === 'done') return null
  return <CommandNote text={textOf(step, from, t)} isProblem={isProblem(step)} />
}

function textOf(step: Exclude<Step, { kind: 'done' }>, from: string, t: Translate): string {
  if (step.kind === 'failed') return step.message
  if (step.kind !== 'notSigned') return t(notes[step.kind])
  return step.why === 'failed' ? t('transfer.notSigned') : (describeProblem(step.why, 'signature', from) ?? '')
}
