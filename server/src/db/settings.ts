import { isWholeNumber } from '@candela/protocol/money/money'
import type { Database } from './open.ts'

type Setting = {
  default: number
  min: number
  max: number
  /** The direction that can cost money or weaken a guard, in which two operators have to set it. */
  dangerous: Direction
  /** Tells the operator what the number counts. */
  about: string
}
type Direction = 'up' | 'down' | 'never'

const count = (value: number, min: number, max: number, dangerous: Direction, about: string): Setting => ({
  default: value,
  min,
  max,
  dangerous,
  about,
})

/**
 * Everything that the operator can set while the service runs: whole numbers with their unit in their name.
 * What belongs to an installation (addresses, confirmations) is in its environment instead.
 */
export const settingTable = {
  accountsPerDay: count(
    10_000,
    1,
    1e6,
    'up',
    'accounts made in a UTC day beyond which one goes again unless 1 USDT is paid in',
  ),
  codeAccountsPerDay: count(50, 1, 1e6, 'up', 'the same for those that come by the code of one member'),
  deviceLimit: count(3, 1, 50, 'never', 'devices that may be signed in to one account at the same time'),
  orderMinutes: count(15, 1, 1_440, 'up', 'minutes in which an order of power is to be paid'),
  watchHours: count(24, 1, 720, 'up', 'hours after that in which a payment still finds its order'),
  lateToleranceBps: count(
    200,
    0,
    5_000,
    'up',
    'hundredths of a percent: a late payment counts while the price moved by less',
  ),
  openOrders: count(20, 1, 1_000, 'up', 'orders that one member may have reserved and not paid at the same time'),
  serviceFeePpm: count(50_000, 0, 1_000_000, 'never', 'millionths of the output that the platform keeps of a new plan'),
  closeMinutes: count(10, 1, 1_439, 'up', 'minutes after midnight UTC at which the day before is closed by itself'),
  depositMinMicroJu: count(10_000, 1, 1e15, 'never', 'millionths of a JU: the least that a deposit is announced for'),
  depositMinMicroUsdt: count(
    1_000_000,
    1,
    1e15,
    'never',
    'millionths of a USDT: the least that a deposit is announced for',
  ),
  depositMinMicroHash: count(
    1_000_000,
    1,
    1e15,
    'never',
    'millionths of a HASH: the least that a deposit is announced for',
  ),
  depositHours: count(
    24,
    1,
    720,
    'never',
    'hours after which an announced deposit that did not come is shown as lapsed',
  ),
  openDeposits: count(50, 1, 10_000, 'up', 'deposits that one member may have announced and not paid at the same time'),
  transfersPerDay: count(500, 1, 1e9, 'up', 'transfers that one member may make in a UTC day: they cost nothing'),
  freeCommandsPerDay: count(
    200,
    1,
    1e9,
    'up',
    'commands that cost nothing, which one member may give in a UTC day: of the fund and of loans, taking back, orders, announcements',
  ),
  withdrawFeeMicroJu: count(10_000, 0, 1e15, 'up', 'millionths of a JU: the fee of a withdrawal in JU'),
  withdrawFeeMicroUsdt: count(1_000_000, 0, 1e15, 'up', 'millionths of a USDT: the fee of a withdrawal in USDT'),
  withdrawFeeMicroHash: count(1_000_000, 0, 1e15, 'up', 'millionths of a HASH: the fee of a withdrawal in HASH'),
  withdrawMinMicroJu: count(1_000_000, 1, 1e15, 'never', 'millionths of a JU: the least that can be withdrawn'),
  withdrawMinMicroUsdt: count(5_000_000, 1, 1e15, 'never', 'millionths of a USDT: the least that can be withdrawn'),
  withdrawMinMicroHash: count(5_000_000, 1, 1e15, 'never', 'millionths of a HASH: the least that can be withdrawn'),
  withdrawDayUsdt: count(50_000, 0, 1e12, 'up', 'worth in USDT that one member may withdraw in a UTC day'),
  withdrawMonthUsdt: count(500_000, 0, 1e12, 'up', 'worth in USDT that one member may withdraw in a calendar month'),
  withdrawReviewUsdt: count(10_000, 0, 1e12, 'up', 'a withdrawal worth more USDT is approved by an operator first'),
  withdrawTwoUsdt: count(25_000, 0, 1e12, 'up', 'a withdrawal worth more USDT is approved by two operators first'),
  freshCapPercent: count(
    50,
    1,
    100,
    'up',
    'percent of the contract’s cap that goes to money that its member has not had for 24 hours',
  ),
  openWithdrawals: count(20, 1, 1_000, 'up', 'withdrawals that one member may have under way at the same time'),
  exchangeFeePpm: count(
    3_000,
    0,
    100_000,
    'down',
    'millionths of what the exchange gives: its fee before a level’s discount',
  ),
  exchangeMinMicroUsdt: count(100_000, 1, 1e12, 'never', 'millionths of a USDT: the least worth that is exchanged'),
  deskHourBps: count(
    100,
    0,
    10_000,
    'up',
    'hundredths of a percent of a pair’s USDT: what the desk takes or gives in an hour, net',
  ),
  debtCeilingBps: count(
    2_000,
    0,
    100_000,
    'up',
    'hundredths of a percent of a pair’s depth: the most that is lent on its asset, by all projects and leveraged loans',
  ),
  debtMemberBps: count(2_000, 1, 10_000, 'up', 'hundredths of a percent of that: the most that is lent to one member'),
  pairAgeDays: count(7, 0, 7, 'down', 'days that a pair has to be observed before anything is lent on its asset'),
  saleLookBps: count(
    100,
    1,
    10_000,
    'up',
    'hundredths of a percent of a pair’s depth: what liquidations sell to the desk in one look',
  ),
  payoutStuckSeconds: count(
    180,
    10,
    86_400,
    'never',
    'seconds on chain after which a payout is sent again for a higher gas price',
  ),
  payoutGasPriceGwei: count(
    500,
    1,
    1_000_000,
    'up',
    'the most that a payout may offer for gas, in 10^-9 JU; an attestation may offer 500 always',
  ),
  leverRatePpm: count(180_000, 0, 1_000_000, 'up', 'millionths a year: the interest of new leveraged loans'),
  leverSafetyPpm: count(800_000, 1, 999_999, 'up', 'millionths: mortgage rate of a margin call of new leveraged loans'),
  leverClearingPpm: count(
    900_000,
    1,
    999_999,
    'up',
    'millionths: mortgage rate of the liquidation of new leveraged loans',
  ),
  leverMinMicroUsdt: count(10_000_000, 1, 1e15, 'down', 'millionths of a USDT: the least margin of a leveraged loan'),
  loanMinMicroUsdt: count(10_000_000, 1, 1e15, 'down', 'millionths of a USDT: the least that is lent'),
  openLoans: count(50, 1, 10_000, 'up', 'loans that one member may have open at the same time'),
  reservePpm: count(100_000, 0, 1_000_000, 'down', 'millionths of interest that go to the reserve, of new loans'),
  lateDayPpm: count(500, 0, 100_000, 'up', 'millionths a day: the late charge of an overdue amount, of new loans'),
  graceDays: count(3, 0, 30, 'up', 'days after a due date without a late charge, of new loans'),
  defaultDays: count(60, 4, 3_650, 'up', 'days after a due date until the collateral of a new loan is sold'),
  liquidationFeePpm: count(
    20_000,
    0,
    200_000,
    'up',
    'millionths of the debt that a liquidation repays: its fee, of new loans',
  ),
  fullBelowUsdt: count(2_000, 0, 1e12, 'up', 'a smaller debt of a new loan is liquidated as a whole'),
  installmentFeeMicroUsdt: count(
    1_000_000,
    0,
    1e12,
    'up',
    'millionths of a USDT: handling fee of an installment, of new loans',
  ),
  reconcileRounds: count(3, 1, 100, 'up', 'comparisons in a row that must differ before withdrawals are paused'),
  standstillMinutes: count(
    60,
    30,
    525_600,
    'down',
    'minutes without a block after which what is done on chain soon after counts as done earlier',
  ),
  reconcileMaxAgeMinutes: count(
    10,
    1,
    60,
    'up',
    'minutes after the last equal comparison at which withdrawals are paused',
  ),
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof settingTable
export type Settings = Readonly<Record<SettingKey, number>>

/** Whether setting it to this value costs money or weakens a guard, compared with the value before. */
export function isDangerousChange(key: SettingKey, before: number, after: number): boolean {
  const { dangerous }: Setting = settingTable[key]
  if (dangerous === 'never') return false
  return dangerous === 'up' ? after > before : after < before
}

export const isSettingKey = (text: string): text is SettingKey => Object.hasOwn(settingTable, text)

/**
 * All settings, with the default where the operator set nothing.
 * @throws RangeError when the table holds a value that its setting does not take
 */
export async function readSettings(db: Database): Promise<Settings> {
  const rows = await db.selectFrom('setting').select(['key', 'value']).execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = (Object.keys(settingTable) as SettingKey[]).map((key) => {
    const value = stored.get(key)
    return [key, value === undefined ? settingTable[key].default : parseSetting(key, JSON.stringify(value))]
  })
  return Object.fromEntries(entries) as Settings
}

/**
 * Reads a setting's value from what the operator typed or the table holds.
 * @throws RangeError that names the setting and what it takes
 */
export function parseSetting(key: SettingKey, text: string): number {
  const { min, max } = settingTable[key]
  const value = Number(text)
  if (isWholeNumber(text) && value >= min && value <= max) return value
  throw new RangeError(`${key} must be a whole number from ${min} to ${max}, not "${text}"`)
}
