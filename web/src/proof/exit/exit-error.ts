import type { ExitState } from '../../wallet/attestation.ts'
import { WalletError } from '../../wallet/errors.ts'
import { toWalletError } from '../../wallet/to-wallet-error.ts'

/** Why the way out could not go on, as far as we know it ourselves. */
export type ExitProblem =
  | 'noWallet'
  /** There are several wallets in the browser, and none was chosen. */
  | 'chooseWallet'
  | 'noAccount'
  /** The person said no in the wallet. */
  | 'refused'
  /** The wallet did not finish, and has said nothing that helps. */
  | 'wallet'
  /** A transaction that is in a block, and did nothing. */
  | 'reverted'
  /** The node answered something else than was asked. */
  | 'noAnswer'
  /** The contract names a time or a day that no calendar has. */
  | 'absurd'

export class ExitError extends Error {
  override readonly name = 'ExitError'
  readonly problem: ExitProblem

  constructor(problem: ExitProblem) {
    super(problem)
    this.problem = problem
  }
}

const ofWallets = {
  refused: 'refused',
  dismissed: 'refused',
  'not-installed': 'noWallet',
  'no-account': 'noAccount',
} as const

/** Describes an error: by a problem that we have words for, or else by the words of the wallet or the node, one line of them. */
export function describeExitError(error: unknown): { problem: ExitProblem } | { said: string } {
  if (error instanceof ExitError) return { problem: error.problem }
  const known = toWalletError(error, 'the way out')
  const problem = ofWallets[known.kind as keyof typeof ofWallets] as ExitProblem | undefined
  if (problem !== undefined) return { problem }
  if (known.said !== null) return { said: known.said }
  return { problem: error instanceof WalletError ? 'wallet' : 'noAnswer' }
}

/** The last day that dates have, counted from 1970-01-01. */
const MAX_DAY = 100_000_000
const DAY_S = 86_400

/** A contract of a stranger's may name any number as a time, which cannot be shown. @throws ExitError `absurd` */
export function expectRealTimes({ lastDay, now, exitFrom, exitedAt, sharedAgainAt }: ExitState): void {
  const times = [now, exitFrom, exitedAt ?? 0, sharedAgainAt ?? 0]
  if (!(lastDay <= MAX_DAY) || times.some((at_s) => !(at_s <= MAX_DAY * DAY_S))) throw new ExitError('absurd')
}
