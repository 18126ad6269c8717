import type { PlainKey } from '../i18n/translate.ts'
import { translate } from '../i18n/use-translation.ts'
import { formatAmount } from '../lib/format.ts'
import type { CommandKey } from './command-keys.ts'
import type { Wish } from './wishes.ts'

const labels: Record<CommandKey, PlainKey> = {
  'POST power/getOrder': 'route.computing',
  'POST deposit/getOrder': 'route.deposit',
  'POST withdraw/apply': 'route.withdrawal',
  'POST transfer/index': 'route.transfer',
  'POST exchange/index': 'route.exchange',
  'POST finance/transferIn': 'wish.fundIn',
  'POST finance/transferOut': 'wish.fundOut',
  'POST lending/borrow': 'wish.borrow',
  'POST lending/repay': 'wish.repay',
  'POST lending/installment': 'wish.installment',
  'POST lending/addCollateral': 'wish.addCollateral',
  'POST lending/releaseCollateral': 'wish.releaseCollateral',
  'POST lever/open': 'wish.open',
  'POST lever/addMargin': 'wish.addMargin',
  'POST lever/close': 'wish.close',
}

/** What it is, in the words of the screens. A newer version may have kept a command that this one does not know. */
export const labelOf = ({ key }: Wish): string =>
  translate(Object.entries(labels).find(([known]) => known === key)?.[1] ?? 'wish.other')

/** How much of what, as it was asked for; empty where the command has no figure of its own. */
export function figureOf({ about }: Wish): string {
  const { amount, margin, asset = 'USDT', from, to, units, percent, count, ratio } = about
  if (margin !== undefined) return `${formatAmount(margin, 6)} USDT · ${asset} · ${ratio ?? ''}×`
  if (amount !== undefined && from !== undefined) return `${formatAmount(amount, 6)} ${from} → ${to ?? ''}`
  if (amount !== undefined) return `${formatAmount(amount, 6)} ${asset}`
  if (units !== undefined) return `× ${units}`
  if (percent !== undefined) return `${percent}%`
  return count === undefined ? '' : `× ${count}`
}
