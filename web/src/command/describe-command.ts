import type { PlainKey } from '../i18n/translate.ts'
import { translate } from '../i18n/use-translation.ts'
import { formatAmount } from '../lib/format.ts'
import type { CommandKey } from './command-keys.ts'
import type { PendingCommand } from './pending-commands.ts'

const labels: Record<CommandKey, PlainKey> = {
  'POST power/getOrder': 'route.computing',
  'POST deposit/getOrder': 'route.deposit',
  'POST withdraw/apply': 'route.withdrawal',
  'POST withdraw/cancel': 'pending.takeBack',
  'POST transfer/index': 'route.transfer',
  'POST exchange/index': 'route.exchange',
  'POST finance/transferIn': 'pending.fundIn',
  'POST finance/transferOut': 'pending.fundOut',
  'POST lending/borrow': 'pending.borrow',
  'POST lending/repay': 'pending.repay',
  'POST lending/installment': 'pending.installment',
  'POST lending/addCollateral': 'pending.addCollateral',
  'POST lending/releaseCollateral': 'pending.releaseCollateral',
  'POST lever/open': 'pending.open',
  'POST lever/addMargin': 'pending.addMargin',
  'POST lever/close': 'pending.close',
}

/** Names it in the words of the screens. A newer version may have kept a command that this one does not know. */
export const labelOf = ({ key }: PendingCommand): string =>
  translate(Object.entries(labels).find(([known]) => known === key)?.[1] ?? 'pending.other')

/** How much of what, as it was asked for; empty where the command has no figure of its own. */
export function figureOf({ about }: PendingCommand): string {
  const { amount, margin, asset = 'USDT', from, to, units, percent, count, ratio } = about
  if (margin !== undefined) return `${formatAmount(margin, 6)} USDT · ${asset} · ${ratio ?? ''}×`
  if (amount !== undefined && from !== undefined) return `${formatAmount(amount, 6)} ${from} → ${to ?? ''}`
  if (amount !== undefined) return `${formatAmount(amount, 6)} ${asset}`
  if (units !== undefined) return `× ${units}`
  if (percent !== undefined) return `${percent}%`
  return count === undefined ? '' : `× ${count}`
}
