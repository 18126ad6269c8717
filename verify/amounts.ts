/** Amounts are base units as bigint; the service writes them in whole units with 18 decimals. */

const DECIMALS = 18
export const WHOLE = 10n ** 18n
export const MILLION = 1_000_000n

/** "12.5" as base units. @throws SyntaxError for what is no decimal number */
export function toBase(text: string, decimals = DECIMALS): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  const [, sign = '', whole = '', fraction = ''] = parts ?? []
  if (parts === null || fraction.length > decimals) throw new SyntaxError(`not an amount: ${text}`)
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -amount : amount
}

/** Base units as people read them. */
export function toText(amount: bigint, decimals = DECIMALS): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

export const assets = ['JU', 'USDT', 'HASH'] as const
export type Asset = (typeof assets)[number]
