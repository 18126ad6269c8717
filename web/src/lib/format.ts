import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { ASSET_DECIMALS } from '@candela/protocol/units'

/** An amount cut into what is set big and what is set small: "1,234" and "50". */
export type AmountParts = { sign: '' | '−' | '<'; whole: string; fraction: string }

/**
 * Groups by thousands and cuts, never rounds: nobody is shown more than they have. What is not zero but too small for
 * the digits shown becomes "<0.01" rather than a zero.
 * `amount` is a decimal text in whole units, or base units (18 decimals) as bigint.
 */
export function amountParts(amount: string | bigint, digits: number, minDigits = 0): AmountParts {
  const text = typeof amount === 'bigint' ? fromBaseUnits(amount) : amount
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const cut = fraction.slice(0, digits).replace(/0+$/, '').padEnd(minDigits, '0')
  const isZero = /^0*$/.test(whole + fraction)
  const shownIsZero = /^0*$/.test(whole + cut)
  if (shownIsZero && !isZero && !negative) return { sign: '<', whole: '0', fraction: `${'0'.repeat(digits - 1)}1` }
  return { sign: negative && !shownIsZero ? '−' : '', whole: group(whole), fraction: cut }
}

export function formatAmount(amount: string | bigint, digits: number, minDigits = 0): string {
  const { sign, whole, fraction } = amountParts(amount, digits, minDigits)
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** For what somebody has to pay: cut upwards, so that nobody pays more than was said. Takes what `formatAmount` takes. */
export function formatCost(amount: string | bigint, digits: number): string {
  const step = 10n ** BigInt(ASSET_DECIMALS - digits)
  const exact = typeof amount === 'bigint' ? amount : toBaseUnits(amount)
  return formatAmount(((exact + step - 1n) / step) * step, digits)
}

/** For prices: at least two decimals, and enough of them to show four significant digits. */
export function formatPrice(price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  const leadingZeros = whole === '0' ? /^0*/.exec(fraction)![0].length : 0
  const digits = whole === '0' ? Math.min(leadingZeros + 4, 18) : Math.max(2, 5 - whole.length)
  return formatAmount(price, digits, 2)
}

/** A fraction as a percentage, cut after `digits` decimals: "0.0525" is "5.25%". */
export function formatPercent(fraction: string, digits = 2): string {
  const negative = fraction.startsWith('-')
  const [whole = '0', decimals = ''] = fraction.replace('-', '').split('.')
  const moved = `${whole}${decimals.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  const rest = decimals.slice(2)
  return `${formatAmount(`${negative ? '-' : ''}${moved}${rest === '' ? '' : `.${rest}`}`, digits)}%`
}

export const formatCount = (count: number): string => group(String(count))

const group = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

/** First 6 and last 4 characters of an address or a hash. */
export const shorten = (text: string): string => (text.length > 12 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)

/** "14:05", or "1:02:09" from an hour on. Started seconds count, so that 0:00 means over. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000))
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Local date and time of an ISO 8601 text, in the reader's way of writing. */
export const formatTime = (iso: string, tag: string): string =>
  new Intl.DateTimeFormat(tag, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso))

/** How long ago, in the largest unit that it fills: "3 minutes ago", "3 分鐘前". */
export function formatAge(seconds: number, tag: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? units[3]
  return new Intl.RelativeTimeFormat(tag).format(-Math.floor(seconds / size), unit)
}

/** A UTC day such as "2026-11-21"; a day of the books is the same day everywhere. */
export const formatDay = (day: string, tag: string): string =>
  new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** The day of an instant without its year, for the axis of a picture: "Nov 21", "11月21日". */
export const formatMonthDay = (atMs: number, tag: string): string =>
  new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(atMs))

/** "30 days", "30 天": Intl knows the plurals, so the catalogs need none. */
export const formatDays = (count: number, tag: string): string =>
  new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count)

/** About how long, in the largest unit that it fills: "10 minutes", "1.5 hours", "1 天". From a minute on; `ms` in milliseconds. */
export function formatDuration(ms: number, tag: string): string {
  const units = [
    ['day', 24 * 60],
    ['hour', 60],
    ['minute', 1],
  ] as const
  const minutes = Math.round(ms / 60_000)
  const [unit, size] = units.find(([, each]) => minutes >= each) ?? units[2]
  const maximumFractionDigits = minutes < 10 * size ? 1 : 0
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits }).format(
    minutes / size,
  )
}
