import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { CommandNote, CommandSheet } from '../../command/command-sheet.tsx'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { explain } from '../../ui/explain-store.ts'
import { formatTime, shorten } from '../../ui/format.ts'
import { Row } from '../../ui/row.tsx'
import type { Flow, MadeTransfer, Stage, Wish } from './transfer-flow.ts'

type Props = { flow: Flow; confirm: () => void; askAgain: () => void; close: () => void; done: () => void }

/** From the summary to the receipt: what the wallet will show, what became of it, and the way on. */
export function TransferSheet({ flow, confirm, askAgain, close, done }: Props) {
  const { t } = useTranslation()
  const stage = flow?.stage
  return (
    <CommandSheet
      stage={stage?.kind ?? null}
      title={t('transfer.review')}
      doneTitle={t('transfer.doneTitle')}
      askAgain={askAgain}
      close={close}
      done={done}
      action={
        <Button block look="primary" busy={stage?.kind === 'signing' || stage?.kind === 'sending'} onClick={confirm}>
          {t('transfer.sign')}
        </Button>
      }
    >
      {flow !== null && (
        <>
          <ExactFigure wish={flow.wish} />
          {flow.stage.kind === 'done' ? (
            <Receipt transfer={flow.stage.transfer} wish={flow.wish} />
          ) : (
            <Terms wish={flow.wish} />
          )}
          <Said stage={flow.stage} />
        </>
      )}
    </CommandSheet>
  )
}

/** To the last unit, because that is what is signed. */
function ExactFigure({ wish: { amount, asset } }: { wish: Wish }) {
  const { t } = useTranslation()
  const digits = fromBaseUnits(amount)
  const exact = <span className="breakable">{`${digits} ${asset}`}</span>
  const tell = () => explain({ title: t('transfer.amount'), value: exact, text: t('transfer.amountFrom') })
  return (
    <button type="button" className="transfer-figure" data-long={digits.length > 14 || undefined} onClick={tell}>
      <Amount value={amount} unit={asset} digits={18} />
    </button>
  )
}

function Terms({ wish: { to, toUid, asset } }: { wish: Wish }) {
  const { t } = useTranslation()
  return (
    <dl className="rows">
      <Row label={t('transfer.to')} value={<code>{shorten(to)}</code>} note={`UID ${toUid}`} />
      <Row label={t('transfer.fee')} value={<Amount value="0" unit={asset} />} />
      <Row label={t('transfer.valid')} value={t('transfer.validFor')} />
    </dl>
  )
}

function Receipt({ transfer, wish }: { transfer: MadeTransfer; wish: Wish }) {
  const { t, language } = useTranslation()
  return (
    <dl className="rows">
      <Row
        label={t('transfer.to')}
        value={<code>{transfer.counterparty.maskedAddress}</code>}
        note={`UID ${wish.toUid}`}
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

const said = {
  review: 'transfer.signNote',
  signing: 'transfer.signing',
  sending: 'transfer.sending',
  refused: 'transfer.refused',
  notSigned: 'transfer.notSigned',
  unanswered: 'transfer.unanswered',
} as const satisfies Record<Exclude<Stage['kind'], 'done' | 'failed'>, PlainKey>

const isTrouble = (stage: Stage) => ['refused', 'notSigned', 'failed', 'unanswered'].includes(stage.kind)

function Said({ stage }: { stage: Stage }) {
  const { t } = useTranslation()
  if (stage.kind === 'done') return null
  return <CommandNote text={stage.kind === 'failed' ? stage.message : t(said[stage.kind])} trouble={isTrouble(stage)} />
}
