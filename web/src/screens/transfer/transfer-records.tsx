import '../../ui/list/entry-row.css'
import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatTime } from '../../lib/format.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'

type Transfer = Data<'GET transfer/list'>['items'][number]

/** Sent and received, newest first, as long as one scrolls. */
export function TransferRecords() {
  const { t } = useTranslation()
  const transfers = useReadPages('GET transfer/list', {})
  return (
    <section className="transfer-records">
      <h2>{t('transfer.records')}</h2>
      <PagedList
        query={transfers}
        keyOf={({ transferNo, direction }) => `${transferNo} ${direction}`}
        itemHeight={64}
        empty={<StateView icon="transfer" title={t('transfer.empty')} text={t('transfer.emptyText')} />}
      >
        {(transfer) => <Record transfer={transfer} />}
      </PagedList>
    </section>
  )
}

function Record({ transfer }: { transfer: Transfer }) {
  const { t, language } = useTranslation()
  const { transferNo, direction, asset, amount, fee, counterparty, createdAt } = transfer
  const out = direction === 'out'
  const title = out ? t('transfer.sentTo') : t('transfer.receivedFrom')
  const signed = `${out ? '-' : ''}${amount}`
  const showDetails = () =>
    explain({
      title,
      value: <ExactAmount value={signed} unit={asset} isGain={!out} />,
      text: t('transfer.recordFrom'),
      inputs: [
        { label: out ? t('transfer.to') : t('transfer.from'), value: <code>{counterparty.maskedAddress}</code> },
        { label: 'UID', value: counterparty.uid },
        { label: t('transfer.fee'), value: <Amount value={fee} unit={asset} /> },
        { label: t('transfer.at'), value: formatTime(createdAt, languageTag[language]) },
        { label: t('transfer.no'), value: <code className="breakable">{transferNo}</code> },
      ],
    })
  return (
    <button
      type="button"
      className="entry-row"
      data-transfer={transferNo}
      data-direction={direction}
      onClick={showDetails}
    >
      <span className="entry-row-what">{title}</span>
      <span className="entry-row-amount">
        {!out && '+'}
        <Amount value={signed} unit={asset} digits={6} />
      </span>
      <span className="entry-row-note">
        {counterparty.maskedAddress} · UID {counterparty.uid}
      </span>
      <time className="entry-row-note" dateTime={createdAt}>
        {formatTime(createdAt, languageTag[language])}
      </time>
    </button>
  )
}
