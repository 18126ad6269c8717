import { fromBaseUnits } from '@candela/protocol/money/money'
import { RpcError } from '../../chain/ask.ts'
import { chainReader } from '../../chain/follow/read/read-chain.ts'
import { type BlockNumbers, readPaymentsAgain, recordMissed } from '../../chain/follow/rescan.ts'
import { resumeCrediting } from '../../chain/follow/start-following.ts'
import { listTroubledPayments } from '../../chain/follow/status.ts'
import type { Tx } from '../../db/open.ts'
import type { NodeCheck } from '../../chain/node/check-node.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Output } from '../print.ts'
import type { OperatorChain } from '../find-chain.ts'
import type { Bindings, Run } from '../run.ts'

/** More would keep the node busy for minutes. */
const MAX_BLOCKS = 100_000n

export type ChainDeps = {
  openChain: () => Promise<OperatorChain>
  depth: () => Promise<number>
  /** @param url instead of that of the settings */
  checkNode: (url: string | undefined) => Promise<NodeCheck[]>
  print: (output: Output) => void
}

type Name = 'chain trouble' | 'chain check' | 'chain resume' | 'chain rescan'

export const chainCommands = (deps: ChainDeps): Bindings<Name> => ({
  'chain trouble': async (tx) => {
    const payments = await listTroubledPayments(tx)
    return payments.map((payment) => ({ ...payment, amount: fromBaseUnits(payment.amount) }))
  },
  'chain check': {
    act: async ({ rpc }) => {
      if (rpc !== undefined && !URL.canParse(rpc)) throw new OperatorError('--rpc is not a URL')
      const checks = await deps.checkNode(rpc)
      deps.print(checks.map(({ check, ok, found }) => ({ check, ok: ok ? 'ok' : 'NO', found })))
      const missing = checks.filter(({ ok }) => !ok).map(({ check }) => check)
      if (missing.length > 0) throw new OperatorError(`the node does not have what is needed: ${missing.join(', ')}`)
    },
  },
  'chain resume': async (tx) => {
    const reason = await resumeCrediting(tx)
    if (reason === null) throw new OperatorError('crediting has not stopped: there is nothing to resume')
    return { resumedFrom: reason }
  },
  'chain rescan': { act: (options, run) => rescan(run, deps, options) },
})

async function rescan(run: Run, { openChain, depth }: ChainDeps, options: { from: string; to: string }): Promise<void> {
  const blocks = readBlocks(options)
  const { client, gateway, assets: findAssets } = await openChain()
  const assets = findAssets()
  const tokens = [...assets].flatMap(([address, asset]) => (asset === 'JU' ? [] : [address as `0x${string}`]))
  const reader = chainReader(client, gateway, tokens)
  const [payments, enough] = await Promise.all([readFromNode(reader, { gateway, assets }, blocks), depth()])
  const work = async (tx: Tx) => {
    const scan = await recordMissed(tx, blocks, payments, enough)
    if (scan.result === 'outside') {
      throw new OperatorError(`blocks ${scan.first} to ${scan.last} can be read again; later ones are not final yet`)
    }
    const { missed, known, notOnChain } = scan
    return {
      ...options,
      known,
      recorded: missed.length,
      missed: missed.map(({ txHash, asset, amount }) => `${fromBaseUnits(amount)} ${asset} ${txHash}`).join(', '),
      recordedButNotOnChain: notOnChain.join(', '),
    }
  }
  await run('chain rescan', options, { work })
}

async function readFromNode(
  reader: ReturnType<typeof chainReader>,
  contracts: { gateway: string; assets: ReturnType<OperatorChain['assets']> },
  blocks: BlockNumbers,
) {
  try {
    // Refuses a node that is on another chain.
    const head = await reader.head()
    if (head.number < blocks.to) throw new OperatorError(`the node's newest block is ${head.number}`)
    return await readPaymentsAgain({ reader, ...contracts }, blocks)
  } catch (error) {
    if (error instanceof RpcError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

function readBlocks({ from, to }: { from: string; to: string }): BlockNumbers {
  for (const text of [from, to]) {
    if (!/^(0|[1-9][0-9]{0,17})$/.test(text)) throw new OperatorError(`"${text}" is not the number of a block`)
  }
  const blocks = { from: BigInt(from), to: BigInt(to) }
  if (blocks.from > blocks.to) throw new OperatorError(`block ${from} comes after block ${to}`)
  if (blocks.to - blocks.from >= MAX_BLOCKS) throw new OperatorError(`at most ${MAX_BLOCKS} blocks at a time`)
  return blocks
}
