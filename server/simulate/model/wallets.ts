/** How an account takes a payment. Each kind but the first is one that a member could deploy to do harm or by mistake. */
export const walletKinds = [
  'takes',
  /** Refuses every payment; tokens too, as a frozen account does. */
  'refuses',
  /** Refuses native currency where there is a gas price: in every transaction, and in calls that name one. */
  'refusesPriced',
  /** Refuses native currency in transactions and takes it in every call: no simulation finds out. */
  'refusesMined',
  /** Sends native currency back to the gateway while it is being paid. */
  'returns',
] as const
export type Wallet = (typeof walletKinds)[number]

/** How a call is run: as part of a transaction or only tried, and with which gas price. */
export type RunContext = { mined: boolean; gasPrice: bigint }

export function refusesNative(wallet: Wallet, { mined, gasPrice }: RunContext): boolean {
  return wallet === 'refuses' || (wallet === 'refusesPriced' && gasPrice > 0n) || (wallet === 'refusesMined' && mined)
}
