import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'
import { formatCount, formatPrice, formatTime } from '../../lib/format.ts'

type Price = Data<'GET power/calc'>['price']

/** Everything that a price can be recomputed with: the pair, average against spot, the block, the time. */
export function usePriceSource(price: Price | undefined): Explanation | undefined {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  if (price === undefined) return undefined
  const { average, spot, pair, blockNumber, observedAt, windowSeconds } = price
  return {
    title: t('buy.price'),
    value: shown(average ?? spot),
    text: t('buy.priceFrom'),
    inputs: [
      { label: t('buy.average', { minutes: Math.round(windowSeconds / 60) }), value: shown(average) },
      { label: t('buy.spot'), value: shown(spot) },
      {
        label: t('buy.pair'),
        value: pair === null ? '—' : <ChainLink kind="address" value={pair} what={t('buy.pair')} network={network} />,
      },
      { label: t('buy.block'), value: blockNumber === null ? '—' : formatCount(blockNumber) },
      { label: t('buy.observed'), value: observedAt === null ? '—' : formatTime(observedAt, languageTag[language]) },
    ],
  }
}

const shown = (figure: string | null) => (figure === null ? '—' : `${formatPrice(figure)} USDT`)
