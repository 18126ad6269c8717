import type { Data } from '@candela/protocol/endpoints'
import type { Path } from '../../navigation/routes.ts'
import type { Translate } from '../../i18n/translate.ts'
import { deviceName } from '../../session/device-name.ts'
import { formatAmount, formatDay } from '../../lib/format.ts'

export type Notice = Data<'GET notice/list'>['items'][number]

type Described = { title: string; text: string; to: Path; query?: Readonly<Record<string, string>>; quote?: string }

const money = ({ asset, amount }: { asset: string; amount: string }): string => `${formatAmount(amount, 6)} ${asset}`

/** A notice in the reader's words, and where what it tells of can be looked at. */
export function describeNotice(notice: Notice, t: Translate, tag: string): Described {
  const title = t(`notice.${notice.kind}`)
  switch (notice.kind) {
    case 'deposit':
    case 'unmatched':
    case 'referral':
      return { title, text: t(`notice.${notice.kind}Text`, { amount: money(notice.params) }), to: '/statement' }
    case 'transferReceived': {
      const values = { amount: money(notice.params), from: notice.params.fromUid }
      return { title, text: t('notice.transferReceivedText', values), to: '/transfer' }
    }
    case 'income': {
      const values = { amount: money(notice.params), day: formatDay(notice.params.day, tag) }
      return { title, text: t('notice.incomeText', values), to: '/incomeList' }
    }
    case 'withdrawalDone':
    case 'withdrawalRejected':
    case 'withdrawalFailed':
      return { title, to: '/withdrawal', ...withdrawalText(notice, t) }
    case 'orderActivated': {
      const { orderNo, units, startsOn, endsOn } = notice.params
      const values = { units, from: formatDay(startsOn, tag), to: formatDay(endsOn, tag) }
      return { title, text: t('notice.orderActivatedText', values), to: '/order', query: { no: orderNo } }
    }
    case 'orderLate':
    case 'orderMismatch':
    case 'orderSoldOut': {
      const text = t(`notice.${notice.kind}Text`, { amount: money(notice.params) })
      return { title, text, to: '/order', query: { no: notice.params.orderNo } }
    }
    case 'powerExpired': {
      const { orderNo, units } = notice.params
      return { title, text: t('notice.powerExpiredText', { units }), to: '/order', query: { no: orderNo } }
    }
    case 'loanReminder':
    case 'loanOverdue':
    case 'marginCall':
    case 'loanLiquidated':
    case 'loanRepaid':
      return { title, text: loanText(notice, t, tag), to: '/lending', query: { no: notice.params.loanNo } }
    case 'fundDeficit': {
      const { asset, loss } = notice.params
      const values = { amount: money(notice.params), loss: money({ asset, amount: loss }) }
      return { title, text: t('notice.fundDeficitText', values), to: '/finance' }
    }
    case 'newDevice':
      break
  }
  const device = deviceName(notice.params.userAgent, t)
  return { title, text: t('notice.newDeviceText', { device }), to: '/devices' }
}

type OfLoan = Extract<Notice, { kind: `loan${string}` | 'marginCall' }>

function loanText(notice: OfLoan, t: Translate, tag: string): string {
  const { loanNo } = notice.params
  switch (notice.kind) {
    case 'loanReminder':
    case 'loanOverdue': {
      const values = { loanNo, amount: money(notice.params), day: formatDay(notice.params.dueOn, tag) }
      return t(`notice.${notice.kind}Text`, values)
    }
    case 'marginCall': {
      const { asset, price, liquidationPrice, safePrice } = notice.params
      const values = {
        loanNo,
        asset,
        price: formatAmount(price, 6),
        liquidation: formatAmount(liquidationPrice, 6),
        safe: formatAmount(safePrice, 6),
      }
      return t('notice.marginCallText', values)
    }
    case 'loanLiquidated': {
      const repaid = money({ asset: 'USDT', amount: notice.params.repaid })
      return t('notice.loanLiquidatedText', { loanNo, sold: money(notice.params), repaid })
    }
    case 'loanRepaid':
      break
  }
  return t('notice.loanRepaidText', { loanNo, amount: money(notice.params) })
}

type Withdrawal = Extract<Notice, { kind: `withdrawal${string}` }>

function withdrawalText(notice: Withdrawal, t: Translate): Pick<Described, 'text' | 'quote'> {
  const amount = money(notice.params)
  if (notice.kind === 'withdrawalDone') return { text: t('notice.withdrawalDoneText', { amount }) }
  if (notice.kind === 'withdrawalRejected') {
    const { note } = notice.params
    return { text: t('notice.withdrawalRejectedText', { amount }), ...(note !== null && { quote: note }) }
  }
  const { reason, feeKept, asset } = notice.params
  if (feeKept !== undefined) {
    const fee = money({ amount: feeKept, asset })
    return { text: t('notice.withdrawalFailedText', { amount, reason: t('notice.reason.feeKept', { fee }) }) }
  }
  const why = reason === 'recipient' || reason === 'reverted' ? reason : 'other'
  return { text: t('notice.withdrawalFailedText', { amount, reason: t(`notice.reason.${why}`) }) }
}
