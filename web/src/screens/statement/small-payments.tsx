import type { AssetCode } from '@candela/protocol/money/assets'
import { languageTag } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatTime } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'

/** The payments that a line of small payments is the sum of, a page at a time. */
export function SmallPayments({ day, asset }: { day: string; asset: AssetCode }) {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  const payments = useReadPages('GET deposit/dust', { day, asset })
  return (
    <QueryView query={payments} loading={<Skeleton width="100%" height={60} />}>
      {({ pages }) => (
        <>
          <ul className="small-payments">
            {pages
              .flatMap(({ items }) => items)
              .map(({ txHash, amount, at }, nth) => (
                <li key={`${txHash} ${nth}`}>
                  <Amount value={amount} unit={asset} digits={18} />
                  <time dateTime={at}>{formatTime(at, languageTag[language])}</time>
                  <ChainLink kind="transaction" value={txHash} what={t('statement.transaction')} network={network} />
                </li>
              ))}
          </ul>
          {payments.hasNextPage && (
            <Button block busy={payments.isFetchingNextPage} onClick={() => void payments.fetchNextPage()}>
              {t('ui.loadMore')}
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}
