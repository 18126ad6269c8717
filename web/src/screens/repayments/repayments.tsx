import { languageTag } from '@candela/protocol/language'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatTime } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { StateView } from '../../ui/state/state-view.tsx'
import '../../ui/list/entry-row.css'
import { type Entry, mergeEntries } from './merge-entries.ts'
import './repayments.css'

/** Every change of what a loan owes and of its collateral, to the last unit; `?no=` says which loan. */
export default function Repayments({ path }: { path: Path }) {
  const { path: at, query } = useStore(useRouter().place)
  const { t } = useTranslation()
  // The last one stays while the screen is left, so that nothing is asked for without a loan.
  const [kept, setKept] = useState('')
  const wanted = at === path ? (query['no'] ?? '') : kept
  if (wanted !== kept) setKept(wanted)
  return (
    <Screen path={path}>
      {wanted === '' ? (
        <StateView
          icon="lending"
          title={t('repayments.noLoan')}
          action={
            <RouteLink to="/lending" className="button quiet-link">
              {t('repayments.toLoans')}
            </RouteLink>
          }
        />
      ) : (
        <Entries key={wanted} loanNo={wanted} />
      )}
    </Screen>
  )
}

function Entries({ loanNo }: { loanNo: string }) {
  const { t } = useTranslation()
  const collateralAsset = useRead('GET lending/detail', { loanNo }).data?.loan.collateralAsset ?? ''
  const entries = useReadPages('GET lending/entries', { loanNo }, () => 15_000)
  const items = entries.data?.pages.flatMap((page) => page.items)
  const merged = { ...entries, data: items && { pages: [{ items: mergeEntries(items) }] } }
  return (
    <>
      <p className="muted">
        {t('repayments.of')} <code>{loanNo}</code>
      </p>
      <PagedList
        query={merged}
        keyOf={({ id }) => id}
        itemHeight={64}
        empty={<StateView icon="statement" title={t('repayments.none')} />}
      >
        {(entry) => <EntryRow entry={entry} asset={entry.part === 'collateral' ? collateralAsset : 'USDT'} />}
      </PagedList>
    </>
  )
}

function EntryRow({ entry, asset }: { entry: Entry; asset: string }) {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  const tag = languageTag[language]
  const { id, kind, part, amount, balance, day, txHash, bookedAt, at } = entry
  const { loanEntries, loanParts } = apiTexts[language]
  const title = loanEntries[kind]
  const grew = !amount.startsWith('-')
  const showDetails = () =>
    explain({
      title,
      value: <ExactAmount value={amount} unit={asset} isGain={grew} />,
      text: t(part === 'collateral' ? 'repayments.collateralText' : 'repayments.debtText'),
      inputs: [
        { label: t('repayments.part'), value: loanParts[part] },
        { label: t('repayments.after'), value: <ExactAmount value={balance} unit={asset} /> },
        ...(day === null ? [] : [{ label: t('repayments.day'), value: formatDay(day, tag) }]),
        { label: t('repayments.booked'), value: formatTime(bookedAt, tag) },
        { label: t('repayments.valueDate'), value: formatTime(at, tag) },
        ...(txHash === null
          ? []
          : [
              {
                label: t('repayments.transaction'),
                value: (
                  <ChainLink kind="transaction" value={txHash} what={t('repayments.transaction')} network={network} />
                ),
              },
            ]),
      ],
    })
  return (
    <button type="button" className="entry-row repayment" data-entry={id} data-kind={kind} onClick={showDetails}>
      <span className="entry-row-what">{title}</span>
      <span className="entry-row-amount" data-grew={grew || undefined}>
        {grew && '+'}
        <Amount value={amount} unit={asset} digits={6} />
      </span>
      <span className="entry-row-note">
        {loanParts[part]} · {day === null ? formatTime(bookedAt, tag) : formatDay(day, tag)}
      </span>
      <span className="entry-row-note">
        {t('repayments.left')} <Amount value={balance} unit={asset} digits={6} />
      </span>
    </button>
  )
}
