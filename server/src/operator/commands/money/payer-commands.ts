import { RpcError } from '../../../chain/ask.ts'
import { gatewayView } from '../../../chain/payout/payout-chain.ts'
import { OperatorError } from '../../../kernel/errors.ts'
import { endLostPayouts } from '../../../modules/withdraw/payout/lost/end-lost-payouts.ts'
import type { OperatorChain } from '../../find-chain.ts'
import type { Bindings } from '../../run.ts'

type PayerDeps = {
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
}

export const payerCommands = ({ openChain, depth }: PayerDeps): Bindings<'payer end-lost'> => ({
  'payer end-lost': async (tx, { payer }, { now }) => {
    const { client, gateway } = await openChain()
    const contract = gatewayView(client, gateway)
    try {
      const result = await endLostPayouts(tx, payer, { contract, depth: await depth(), now })
      if ('refused' in result) throw new OperatorError(result.refused)
      return { payer, ...result }
    } catch (error) {
      if (error instanceof RpcError) throw new OperatorError(error.message, { cause: error })
      throw error
    }
  },
})
