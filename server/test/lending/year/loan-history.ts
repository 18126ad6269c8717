import { addDays, addMonths, daysBetween } from '@candela/protocol/calendar'

/**
 * The whole history of a loan from its terms, what its borrower did and the prices of each day: written again from
 * docs/understand/lending.md, without the computations that the server uses. USDT base units, collateral in its own.
 */

export type Terms = {
  isLever: boolean
  lent: bigint
  collateral: bigint
  openedOn: string
  dueOn: string
  /** Millionths. */
  rate: bigint
  late: bigint
  clearing: bigint
  liquidationFee: bigint
  graceDays: number
  defaultDays: number
  fullBelow: bigint
  installmentFee: bigint
}

/** The act of a borrower on a day, after the prices of the day were looked at. */
export type Act =
  | { day: string; kind: 'pay'; amount: bigint | 'all' }
  | { day: string; kind: 'installments'; count: number }
  | { day: string; kind: 'collateral'; amount: bigint }
  | { day: string; kind: 'close'; percent: bigint }

/** The prices that decide about the lines, and that the desk pays. */
export type DayPrice = { watch: bigint; sale: bigint }

export type Part = 'principal' | 'interest' | 'charges' | 'collateral' | 'fees'

const MILLION = 1_000_000n
const WHOLE = 10n ** 18n
const up = (above: bigint, below: bigint): bigint => (above + below - 1n) / below
const min = (...amounts: bigint[]): bigint => amounts.reduce((least, amount) => (amount < least ? amount : least))
const interestOf = (principal: bigint, rate: bigint): bigint => up(principal * rate, 365n * MILLION)

type Due = { on: string; amount: bigint | null; paid: bigint; fee: bigint; late: string | null }

/** @returns every movement as `day kind part`, with how much the part grew: what is owed, or the collateral */
export function loanHistory(terms: Terms, acts: readonly Act[], priceOn: (day: string) => DayPrice, until: string) {
  const moved = new Map<string, bigint>()
  const is = { principal: 0n, interest: 0n, charges: 0n, collateral: 0n, fees: 0n }
  let dues: Due[] = [{ on: terms.dueOn, amount: null, paid: 0n, fee: 0n, late: null }]
  const move = (day: string, kind: string, part: Part, amount: bigint) => {
    is[part] += amount
    const key = `${day} ${kind} ${part}`
    if (amount !== 0n) moved.set(key, (moved.get(key) ?? 0n) + amount)
  }
  const owed = () => is.principal + is.interest + is.charges
  const missing = ({ amount, paid }: Due, open: bigint) => (amount === null ? open : min(open, amount - paid))
  const feesDue = (day: string) => dues.reduce((sum, due) => (due.on <= day ? sum + due.fee : sum), 0n)

  const charge = (day: string) => {
    let open = is.principal + is.interest
    let late = 0n
    for (const due of dues.filter(({ on }) => on < day)) {
      const lacks = missing(due, open)
      const isLowered = due.amount === null || due.amount - due.paid > lacks
      due.amount = due.paid + lacks
      if (isLowered && open === 0n) due.fee = 0n
      open -= lacks
      if (lacks === 0n || daysBetween(due.on, day) <= terms.graceDays) continue
      late += up(lacks * terms.late * BigInt(daysBetween(due.late ?? due.on, day)), MILLION)
      due.late = day
    }
    move(day, 'late-charge', 'charges', late)
    if (day > addDays(terms.openedOn, 1)) move(day, 'interest', 'interest', interestOf(is.principal, terms.rate))
  }

  /** Charges, then (of a payment) handling fees, then due amounts one by one; interest before principal. */
  const settle = (day: string, kind: string, amount: bigint, isPayment: boolean) => {
    const payoff = owed() + (isPayment ? feesDue(day) : 0n)
    const isAll = amount >= payoff
    let left = min(amount, payoff)
    const charges = min(left, is.charges)
    left -= charges
    let fees = 0n
    const payFee = (due: Due) => {
      const fee = min(left, due.fee)
      due.fee -= fee
      fees += fee
      left -= fee
    }
    if (isPayment) for (const due of dues) if (due.on <= day) payFee(due)
    let open = is.interest + is.principal
    for (const due of dues) {
      if (isPayment && !isAll && due.on > day && left > 0n && open > 0n && due.paid !== due.amount) payFee(due)
      const part = min(left, missing(due, open))
      due.paid += part
      left -= part
      open -= part
      if (!isPayment && due.paid === due.amount) due.fee = 0n
    }
    const last = dues.at(-1)
    if (last !== undefined && last.amount !== null) last.amount += left
    if (last !== undefined) last.paid += left
    const counted = min(amount, payoff) - charges - fees
    const interest = min(counted, is.interest)
    move(day, kind, 'charges', -charges)
    move(day, kind, 'interest', -interest)
    move(day, kind, 'principal', interest - counted)
    move(day, kind, 'fees', fees)
    if (isAll) move(day, 'pledge-return', 'collateral', -is.collateral)
  }

  const watch = (day: string) => {
    const { watch: price, sale } = priceOn(day)
    const debt = owed()
    const oldest = dues.find(({ amount, paid, fee }) => amount === null || paid < amount || fee > 0n) ?? dues.at(-1)
    const isOver =
      (terms.isLever && daysBetween(terms.dueOn, day) > terms.graceDays) ||
      (oldest !== undefined && daysBetween(oldest.on, day) >= terms.defaultDays)
    const reaches = (part: bigint) => debt * part * MILLION * WHOLE >= 100n * terms.clearing * is.collateral * price
    if (debt === 0n || !(isOver || reaches(100n))) return
    const target = isOver || debt < terms.fullBelow || reaches(95n) ? debt : up(debt, 2n)
    const wanted = target + up(target * terms.liquidationFee, MILLION)
    const worth = (is.collateral * sale) / WHOLE
    const isShort = worth < wanted
    const repaid = isShort ? (worth * MILLION) / (MILLION + terms.liquidationFee) : target
    move(day, 'liquidation', 'collateral', isShort ? -is.collateral : -up(wanted * WHOLE, sale))
    settle(day, 'liquidation', repaid, false)
    if (is.collateral > 0n) return
    for (const part of ['principal', 'interest', 'charges'] as const) move(day, 'deficit', part, -is[part])
  }

  /** The smallest equal payment with which the last one is no larger. */
  const installments = (day: string, count: number): Due[] => {
    const ends = Array.from({ length: count }, (_, nth) => addMonths(day, nth + 1))
    const lastOf = (equal: bigint): bigint => {
      let [principal, interest, from, last] = [is.principal, is.interest, day, 0n]
      if (from === terms.openedOn) from = addDays(from, 1)
      for (const [nth, end] of ends.entries()) {
        interest += interestOf(principal, terms.rate) * BigInt(daysBetween(from, end))
        const all = principal + interest
        last = nth === count - 1 ? all : min(equal, all)
        const ofInterest = min(last, interest)
        interest -= ofInterest
        principal -= last - ofInterest
        from = end
      }
      return last
    }
    let [low, high] = [1n, 2n * owed()]
    while (low < high) {
      const middle = (low + high) / 2n
      if (lastOf(middle) <= middle) high = middle
      else low = middle + 1n
    }
    const fee = terms.installmentFee
    return ends.map((on, nth) => ({ on, amount: nth === count - 1 ? null : low, paid: 0n, fee, late: null }))
  }

  const doAct = (day: string, act: Act) => {
    if (act.kind === 'installments') dues = installments(day, act.count)
    else if (act.kind === 'collateral')
      move(day, act.amount > 0n ? 'pledge' : 'pledge-return', 'collateral', act.amount)
    else if (act.kind === 'pay')
      settle(day, 'repayment', act.amount === 'all' ? owed() + feesDue(day) : act.amount, true)
    else {
      const part = up((owed() + feesDue(day)) * act.percent, 100n)
      move(day, 'lever-close', 'collateral', -((is.collateral * act.percent) / 100n))
      settle(day, 'repayment', part, true)
    }
  }

  move(terms.openedOn, terms.isLever ? 'lever-open' : 'loan', 'principal', terms.lent)
  move(terms.openedOn, terms.isLever ? 'lever-open' : 'pledge', 'collateral', terms.collateral)
  move(addDays(terms.openedOn, 1), 'interest', 'interest', interestOf(terms.lent, terms.rate))
  for (let day = terms.openedOn; day <= until && owed() > 0n; day = addDays(day, 1)) {
    if (day > terms.openedOn) {
      charge(day)
      watch(day)
    }
    for (const act of acts) if (act.day === day) doAct(day, act)
  }
  return { moved, left: is }
}
