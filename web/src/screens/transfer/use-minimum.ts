import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { mulDiv, mulDivUp, toBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'

const WHOLE = 10n ** 18n
/** The smallest transfer by value, in base units of USDT. */
const MIN_WORTH = WHOLE

/** A paused price resumes by itself, and somebody may be waiting for it. */
const pollMs = (prices: Data<'GET user/priceInfo'> | undefined): number =>
  prices?.items.some(({ paused }) => paused) === true ? 5_000 : 30_000

/**
 * Why an amount cannot be sent, before it is signed: too little at the current price, or no price. Null when nothing
 * does, or while it is not known; the service decides in any case.
 */
export function useMinimum(asset: AssetCode, amount: bigint | null): string | null {
  const { t } = useTranslation()
  const prices = useRead('GET user/priceInfo', {}, { enabled: asset !== 'USDT', pollMs }).data
  if (amount === null) return null
  const found = prices?.items.find((price) => price.asset === asset)
  if (asset !== 'USDT' && found?.paused === true) return t('transfer.pricePaused', { asset })
  const price = asset === 'USDT' ? WHOLE : toBaseUnits(found?.average ?? '0')
  if (price === 0n || mulDiv(amount, price, WHOLE) >= MIN_WORTH) return null
  // Rounded up to what is shown, so that the figure named is enough.
  const minimum = mulDivUp(mulDivUp(MIN_WORTH, WHOLE, price), 1n, 10n ** 12n) * 10n ** 12n
  return t('transfer.tooLittle', { minimum: formatAmount(minimum, 6), asset })
}
