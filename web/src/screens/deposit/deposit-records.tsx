import type { Data } from '@candela/protocol/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { languageTag } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useSeenPayments } from '../../payment/order-polling.ts'
import { sentPayments } from '../../payment/payment.ts'
import { useApp } from '../../session/app-context.tsx'
import { Confirming, OldPrompt, PaymentSent } from '../../payment/payment-progress.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatTime, shorten } from '../../lib/format.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { Status, type Tone } from '../../ui/state/status.tsx'
import { serverNow, useServerNow } from '../../api/server-time.ts'
import { payDeposit, plainTransfersSent } from './pay-in.ts'

type Deposit = Data<'GET deposit/list'>['items'][number]

const tones: Record<Deposit['state'], Tone> = {
  announced: 'calm',
  confirming: 'waiting',
  credited: 'good',
  lapsed: 'calm',
}

/** In milliseconds: a person who has just paid looks at the screen. */
const POLL_MS = 2_000
/** A deposit that is announced may be paid from elsewhere, or by a wallet that has not said so; in milliseconds. */
const ANNOUNCED_MS = 6_000

/** Lists what came in and what is coming in, newest first, announced or not. */
export function DepositRecords() {
  const { t } = useTranslation()
  const app = useApp()
  const sent = sentPayments(app)
  useServerNow()
  const isMoving = ({ state, depositNo }: Deposit): boolean =>
    state === 'confirming' ||
    (state === 'announced' &&
      depositNo !== null &&
      (sent.hashOf(depositNo, serverNow()) !== null || sent.askedFor(depositNo, serverNow()) !== null))
  /** Plain transfers that the wallet has sent and the list does not have yet. */
  const notListed = (pages: readonly { items: readonly Deposit[] }[]): string[] => {
    const listed = new Set(pages.flatMap(({ items }) => items.map(({ payment }) => payment?.txHash)))
    return plainTransfersSent(app).filter((hash) => !listed.has(hash))
  }
  const deposits = useReadPages('GET deposit/list', {}, (pages) => {
    const all = pages.flatMap(({ items }) => items)
    if (all.some(isMoving) || notListed(pages).length > 0) return POLL_MS
    return all.some(({ state }) => state === 'announced') ? ANNOUNCED_MS : false
  })
  const all = deposits.data?.pages.flatMap(({ items }) => items) ?? []
  useSeenPayments(all.flatMap(({ depositNo, payment }) => (depositNo === null || payment === null ? [] : [depositNo])))
  return (
    <section className="deposit-records">
      <h2>{t('deposit.records')}</h2>
      {notListed(deposits.data?.pages ?? []).map((hash) => (
        <article key={hash} className="deposit" data-plain-transfer={hash}>
          <span>{t('deposit.unannounced')}</span>
          <PaymentSent hash={hash} />
        </article>
      ))}
      <PagedList
        query={deposits}
        keyOf={({ depositNo, createdAt, payment }) => `${depositNo ?? ''} ${payment?.txHash ?? ''} ${createdAt}`}
        itemHeight={84}
        empty={<StateView icon="wallet" title={t('deposit.empty')} text={t('deposit.emptyText')} />}
      >
        {(deposit) => <Record deposit={deposit} />}
      </PagedList>
    </section>
  )
}

function Record({ deposit }: { deposit: Deposit }) {
  const { t, language } = useTranslation()
  const { depositNo, asset, amount, state, createdAt, payment } = deposit
  const tag = languageTag[language]
  const showDetails = () =>
    explain({
      title: t('deposit.amount'),
      value: <ExactAmount value={payment?.amount ?? amount} unit={payment?.asset ?? asset} />,
      text: t('deposit.amountFrom'),
      inputs: [
        ...(depositNo === null ? [] : [{ label: t('deposit.no'), value: <code>{depositNo}</code> }]),
        { label: t('deposit.created'), value: formatTime(createdAt, tag) },
        ...(payment === null
          ? []
          : [
              { label: t('deposit.seen'), value: formatTime(payment.at, tag) },
              { label: t('deposit.block'), value: String(payment.blockNumber) },
              { label: t('deposit.payer'), value: <code>{shorten(payment.payer)}</code> },
            ]),
      ],
    })
  return (
    <article className="deposit" data-deposit={depositNo ?? payment?.txHash} data-state={state}>
      <header className="deposit-head">
        <button type="button" className="row-button deposit-amount" onClick={showDetails}>
          <Amount value={payment?.amount ?? amount} unit={payment?.asset ?? asset} digits={6} />
        </button>
        <Status tone={tones[state]}>{t(`deposit.state.${state}`)}</Status>
      </header>
      <DepositProgress deposit={deposit} />
      <footer className="deposit-foot">
        <span>{depositNo === null && t('deposit.unannounced')}</span>
        <time dateTime={createdAt}>{formatTime(createdAt, tag)}</time>
      </footer>
    </article>
  )
}

/** The part of a deposit that is about now. */
function DepositProgress({ deposit }: { deposit: Deposit }) {
  const { depositNo, state, payment } = deposit
  const { t } = useTranslation()
  const sent = sentPayments(useApp())
  const now = useServerNow()
  const network = useRead('GET home/public', {}).data?.network
  const hash = depositNo === null ? null : sent.hashOf(depositNo, now)
  if (state === 'announced' && hash !== null) return <PaymentSent hash={hash} />
  if (state === 'announced') return <ToPay deposit={deposit} />
  if (state === 'lapsed') return <p className="payment-note">{t('deposit.lapsedText')}</p>
  if (payment === null) return null
  if (state === 'confirming') return <Confirming payment={payment} text={t('deposit.confirmingText')} />
  return <ChainLink kind="transaction" value={payment.txHash} what={t('pay.transaction')} network={network} />
}

/** Announced and not paid: refused in the wallet, left there, or meant for later. */
function ToPay({ deposit: { depositNo, transaction, asset, amount } }: { deposit: Deposit }) {
  const { t } = useTranslation()
  const app = useApp()
  const [busy, setBusy] = useState(false)
  if (depositNo === null || transaction === null) return null
  const pay = async () => {
    setBusy(true)
    try {
      await payDeposit(app, { reference: depositNo, asset, amount: toBaseUnits(amount), prepared: transaction })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p className="payment-note">{t('deposit.announcedText')}</p>
      <OldPrompt reference={depositNo} />
      <Button busy={busy} onClick={() => void pay()}>
        {t('deposit.payNow')}
      </Button>
    </>
  )
}
