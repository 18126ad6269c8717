import { languageTag } from '@candela/protocol/language'
import { useEffect, useRef, useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { formatAmount, formatTime } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Row } from '../../ui/list/row.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { Status, type Tone } from '../../ui/state/status.tsx'
import { TakeBackSheet } from './take-back-sheet.tsx'
import { Timeline } from './timeline.tsx'
import type { Withdrawal } from './withdrawal-types.ts'

const tones: Record<Withdrawal['state'], Tone> = {
  review: 'waiting',
  queued: 'waiting',
  sending: 'waiting',
  confirming: 'waiting',
  done: 'good',
  rejected: 'bad',
  failed: 'bad',
}

/** In milliseconds: on its way it moves with the blocks, and a person takes longer. */
const MOVING_MS = 2_000
const REVIEW_MS = 10_000

/** Nothing of it is signed. */
const canBeTakenBack = ({ state }: Withdrawal) => state === 'review' || state === 'queued'

/** Over unpaid: all of it is available again, or all but a fee that was kept. */
const isBack = ({ state }: Withdrawal) => state === 'rejected' || state === 'failed'

const isMoving = ({ state }: Withdrawal) => state === 'queued' || state === 'sending' || state === 'confirming'

/** Every withdrawal, newest first, with where it stands and why. */
export function WithdrawalRecords() {
  const { t } = useTranslation()
  const withdrawals = useReadPages('GET withdraw/list', {}, (pages) => {
    const items = pages.flatMap((page) => page.items)
    if (items.some(isMoving)) return MOVING_MS
    return items.some(({ state }) => state === 'review') ? REVIEW_MS : false
  })
  const [leaving, setLeaving] = useState<Withdrawal | null>(null)
  useInvalidateOnChange(withdrawals.data?.pages.flatMap((page) => page.items))
  return (
    <section className="withdrawal-records">
      <h2>{t('withdraw.records')}</h2>
      <PagedList
        query={withdrawals}
        keyOf={({ withdrawalNo }) => withdrawalNo}
        itemHeight={112}
        empty={<StateView icon="withdrawal" title={t('withdraw.empty')} text={t('withdraw.emptyText')} />}
      >
        {(withdrawal) => <Card withdrawal={withdrawal} takeBack={() => setLeaving(withdrawal)} />}
      </PagedList>
      <TakeBackSheet withdrawal={leaving} close={() => setLeaving(null)} />
    </section>
  )
}

/** A withdrawal that is paid or given back changes the balance and what may still be withdrawn, which stand above the list. */
function useInvalidateOnChange(items: readonly Withdrawal[] | undefined): void {
  const states = items?.map(({ withdrawalNo, state }) => `${withdrawalNo} ${state}`).join()
  const last = useRef(states)
  useEffect(() => {
    if (last.current !== undefined && last.current !== states) void invalidateAccount('GET withdraw/quote')
    last.current = states
  }, [states])
}

function Card({ withdrawal, takeBack }: { withdrawal: Withdrawal; takeBack: () => void }) {
  const { t, language } = useTranslation()
  const { withdrawalNo, asset, amount, state, takenBackAt, createdAt, estimatedAt } = withdrawal
  const tag = languageTag[language]
  // Open while it moves, and from then on as the person leaves it.
  const [isOpen, setOpen] = useState(isMoving(withdrawal))
  const moves = isMoving(withdrawal)
  const [moved, setMoved] = useState(moves)
  if (moves !== moved) {
    setMoved(moves)
    if (moves) setOpen(true)
  }
  return (
    <article className="withdrawal" data-withdrawal={withdrawalNo} data-state={state}>
      <header className="withdrawal-head">
        <span className="withdrawal-amount">
          <Amount value={amount} unit={asset} digits={6} />
        </span>
        {takenBackAt === null ? (
          <Status tone={tones[state]}>{t(`withdraw.state.${state}`)}</Status>
        ) : (
          <Status tone="calm">{t('withdraw.state.takenBack')}</Status>
        )}
      </header>
      <Outcome withdrawal={withdrawal} />
      {estimatedAt !== null && (
        <p className="withdrawal-note">{t('withdraw.estimate', { time: formatTime(estimatedAt, tag) })}</p>
      )}
      <details
        className="withdrawal-details"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <span>{t('withdraw.details')}</span>
          <time dateTime={createdAt}>{formatTime(createdAt, tag)}</time>
          <Icon name="forward" size={16} />
        </summary>
        <Timeline withdrawal={withdrawal} />
        <Details withdrawal={withdrawal} />
      </details>
      {canBeTakenBack(withdrawal) && (
        <Button look="text" onClick={takeBack}>
          {t('withdraw.back')}
        </Button>
      )}
    </article>
  )
}

/** Why it waits or was refused, in words; and where the money is when it was. */
function Outcome({ withdrawal }: { withdrawal: Withdrawal }) {
  const { reason, blocked, note, amount, asset, feeKept, received } = withdrawal
  const { t } = useTranslation()
  const isOver = isBack(withdrawal)
  if (reason === null && !isOver) return null
  return (
    <div className="withdrawal-why" data-back={isOver || undefined}>
      {reason !== null && <p>{t(`withdraw.reason.${blocked === true ? 'blocked' : reason}`)}</p>}
      {note !== null && <p>{t('withdraw.operatorSaid', { note })}</p>}
      {isOver && feeKept === null && <p>{t('withdraw.moneyBack', { amount: formatAmount(amount, 18), asset })}</p>}
      {isOver && feeKept !== null && (
        <p>{t('withdraw.feeKept', { amount: formatAmount(received, 18), fee: formatAmount(feeKept, 18), asset })}</p>
      )}
    </div>
  )
}

function Details({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  const { withdrawalNo, asset, fee, received, to, txHash, state } = withdrawal
  return (
    <dl className="rows">
      {!isBack(withdrawal) && (
        <>
          <Row label={t('withdraw.fee')} value={<Amount value={fee} unit={asset} digits={18} />} />
          <Row
            label={t(state === 'done' ? 'withdraw.received' : 'withdraw.receive')}
            value={<Amount value={received} unit={asset} digits={18} />}
          />
        </>
      )}
      <Row
        label={t('withdraw.to')}
        value={<ChainLink kind="address" value={to} what={t('withdraw.to')} network={network} />}
      />
      {txHash !== null && (
        <Row
          label={t('withdraw.transaction')}
          value={<ChainLink kind="transaction" value={txHash} what={t('withdraw.transaction')} network={network} />}
        />
      )}
      <Row
        label={t('withdraw.no')}
        value={
          <span className="chain-link">
            <code>{withdrawalNo}</code>
            <CopyButton text={withdrawalNo} what={t('withdraw.no')} />
          </span>
        }
      />
    </dl>
  )
}
