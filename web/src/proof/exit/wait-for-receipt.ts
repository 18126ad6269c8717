import { ExitError } from './exit-error.ts'
import type { Ask } from '../../wallet/attestation.ts'

const LOOK_EVERY_MS = 1_000

/** Resolves when the transaction is in a block. @throws when it was reverted */
export async function waitForReceipt(ask: Ask, hash: string): Promise<void> {
  for (;;) {
    const receipt = (await ask('eth_getTransactionReceipt', [hash])) as { status: unknown } | null
    // Some wallets give it as a number.
    if (receipt !== null && Number(receipt.status) !== 1) throw new ExitError('reverted')
    if (receipt !== null) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
