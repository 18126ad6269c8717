import type { StatementItem } from '@candela/protocol/endpoints/statement'
import { languageTag } from '@candela/protocol/language'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { useRead } from '../../api/use-read.ts'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatAmount, formatTime } from '../../lib/format.ts'

import { SmallPayments } from './small-payments.tsx'

type Reference = NonNullable<StatementItem['reference']>

/** Where what a line belongs to can be looked at. */
const placeOf: Record<Reference['type'], Path> = {
  order: '/order',
  deposit: '/deposit',
  withdrawal: '/withdrawal',
  transfer: '/transfer',
  exchange: '/exchangeList',
  day: '/incomeList',
  loan: '/lending',
}

/** One entry: what it was, what it changed and what was there then. A tap tells all that is known of it. */
export function Line({ line }: { line: StatementItem }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const { data: home } = useRead('GET home/public', {})
  const { kind, account, asset, amount, balance, bookedAt, at, isFee, reference, txHash, counterparty } = line
  const title = isFee ? apiTexts[language].withdrawalFee : apiTexts[language].postings[kind]
  const gained = !amount.startsWith('-')
  const who = counterparty === null ? null : `UID ${counterparty.uid}`
  // Small payments of a day are one line, at the end of that day.
  const isSum = kind !== 'income' && reference?.type === 'day'
  const showDetails = () =>
    explain({
      title,
      value: <ExactAmount value={amount} unit={asset} isGain={gained} />,
      text: t(isSum ? 'statement.smallText' : 'statement.lineText'),
      inputs: [
        { label: t('statement.account'), value: t(`statement.${account}`) },
        { label: t('statement.balance'), value: <ExactAmount value={balance} unit={asset} /> },
        { label: t('statement.booked'), value: formatTime(bookedAt, tag) },
        { label: t('statement.valueDate'), value: formatTime(at, tag) },
        ...(isSum && reference !== null
          ? [{ label: t('statement.small'), value: <SmallPayments day={reference.no} asset={asset} /> }]
          : []),
        ...(reference === null || isSum
          ? []
          : [{ label: t(`statement.ref.${reference.type}`), value: <Referred reference={reference} /> }]),
        ...(counterparty === null
          ? []
          : [{ label: t('statement.counterparty'), value: `${counterparty.maskedAddress} · UID ${counterparty.uid}` }]),
        ...(txHash === null
          ? []
          : [
              {
                label: t('statement.transaction'),
                value: (
                  <ChainLink
                    kind="transaction"
                    value={txHash}
                    what={t('statement.transaction')}
                    network={home?.network}
                  />
                ),
              },
            ]),
      ],
    })
  return (
    <button type="button" className="statement-line" data-kind={kind} data-account={account} onClick={showDetails}>
      <span className="statement-what">{title}</span>
      <span className="statement-amount" data-gained={gained || undefined}>
        {gained && '+'}
        <Amount value={amount} unit={asset} digits={6} />
      </span>
      <span className="statement-note">
        {account === 'held' ? `${t('statement.held')} · ` : who === null ? '' : `${who} · `}
        <time dateTime={bookedAt}>{formatTime(bookedAt, tag)}</time>
      </span>
      <span className="statement-note">{t('statement.balanceShort', { balance: formatAmount(balance, 6) })}</span>
    </button>
  )
}

function Referred({ reference: { type, no } }: { reference: Reference }) {
  const { t } = useTranslation()
  const router = useRouter()
  return (
    <span className="statement-ref">
      <code className="breakable">{no}</code>
      <Button look="text" onClick={() => router.go(placeOf[type], type === 'order' ? { no } : {})}>
        {t('statement.open')}
      </Button>
    </span>
  )
}
