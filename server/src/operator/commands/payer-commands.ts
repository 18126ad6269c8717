import type { Command } from 'commander'
import { RpcError } from '../../chain/ask.ts'
import { gatewayView } from '../../chain/payout/payout-chain.ts'
import { OperatorError } from '../../kernel/errors.ts'
import { endLostPayouts } from '../../modules/withdraw/payout/lost/end-lost-payouts.ts'
import { notify } from '../../modules/notice/notify.ts'
import type { OperatorChain } from '../find-chain.ts'
import type { Run } from '../run.ts'

type PayerDeps = {
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
}

export function addPayer(program: Command, run: Run, { openChain, depth }: PayerDeps): void {
  const group = program.command('payer').description('accounts that sign payouts')
  group
    .command('end-lost')
    .description('end what a payer whose key is lost has signed and nobody paid; the contract has another payer by now')
    .argument('<address>', 'of the payer whose key is lost')
    .action((address: string) => {
      const payer = readAddress(address)
      return run({ command: 'payer end-lost', signers: 2 }, { payer }, async (tx, now) => {
        const { client, gateway } = await openChain()
        const contract = gatewayView(client, gateway)
        try {
          const result = await endLostPayouts(tx, payer, { contract, notify, depth: await depth(), now })
          if ('refused' in result) throw new OperatorError(result.refused)
          return { payer, ...result }
        } catch (error) {
          if (error instanceof RpcError) throw new OperatorError(error.message, { cause: error })
          throw error
        }
      })
    })
}

function readAddress(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  throw new OperatorError(`"${text}" is not an address`)
}
