import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import { RpcError } from '../../chain/ask.ts'
import { chainReader } from '../../chain/follow/read/read-chain.ts'
import { type BlockNumbers, readPaymentsAgain, recordMissed } from '../../chain/follow/rescan.ts'
import { resumeCrediting } from '../../chain/follow/start-following.ts'
import { listTroubledPayments } from '../../chain/follow/status.ts'
import type { NodeCheck } from '../../chain/node/check-node.ts'
import { listDisputes, ruleDispute } from '../../chain/nodes/disputes.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Output } from '../print.ts'
import type { OperatorChain } from '../find-chain.ts'
import type { Run } from '../run.ts'

const SAME = 'a provider runs more than one node, or is not stated: one party could decide alone'

/** More would keep the node busy for minutes. */
const MAX_BLOCKS = 100_000n

export type CheckedNode = { node: string; provider: string | null; checks: NodeCheck[] }

export type ChainDeps = {
  openChain: () => Promise<OperatorChain>
  depth: () => Promise<number>
  /** @param url instead of those of the settings */
  checkNodes: (url: string | undefined) => Promise<CheckedNode[]>
  print: (output: Output) => void
}

export function addChain(program: Command, run: Run, deps: ChainDeps): void {
  const group = program.command('chain').description('what the service reads from the chain')
  group
    .command('trouble')
    .description('payments that could not be settled, and credited ones that left the chain')
    .action(() =>
      run({ command: 'chain trouble', signers: 0 }, {}, async (tx) => {
        const payments = await listTroubledPayments(tx)
        return payments.map((payment) => ({ ...payment, amount: fromBaseUnits(payment.amount) }))
      }),
    )
  group
    .command('check')
    .description('ask each node for each thing that the service needs of it; nothing is written down')
    .option('--rpc <url>', 'another node than those of RPC_URL')
    .action(async ({ rpc }: { rpc?: string }) => {
      if (rpc !== undefined && !URL.canParse(rpc)) throw new OperatorError('--rpc is not a URL')
      const nodes = await deps.checkNodes(rpc)
      const providers = new Set(nodes.map(({ provider }) => provider))
      const found = nodes.flatMap(({ node, provider, checks }) => [
        { node, check: 'provider', ok: true, found: provider ?? 'not stated (RPC_PROVIDERS)' },
        ...checks.map((check) => ({ node, ...check })),
      ])
      const apart = providers.size === nodes.length || nodes.length === 1
      const lines = apart ? found : [...found, { node: 'all', check: 'different providers', ok: false, found: SAME }]
      deps.print(lines.map((line) => ({ ...line, ok: line.ok ? 'ok' : 'NO' })))
      const missing = lines.filter(({ ok }) => !ok).map(({ node, check }) => `${check} (${node})`)
      if (missing.length > 0) throw new OperatorError(`this is needed and missing: ${missing.join(', ')}`)
    })
  group
    .command('disputes')
    .description('decisions about money on which the nodes contradict each other')
    .action(() => run({ command: 'chain disputes', signers: 0 }, {}, listDisputes))
  group
    .command('rule')
    .description('let one node decide what the nodes contradict each other about')
    .argument('<decision>', 'as `chain disputes` shows it')
    .requiredOption('--node <host>', 'the node that is right')
    .action((decision: string, { node }: { node: string }) =>
      run({ command: 'chain rule', signers: 2 }, { decision, node }, async (tx, now) => {
        const result = await ruleDispute(tx, { decision, node }, now)
        if (result === 'unknown') throw new OperatorError(`the nodes do not contradict each other about "${decision}"`)
        if (result === 'notAsked') throw new OperatorError(`${node} has given no answer about "${decision}"`)
        return { decision, node, ruledAt: now }
      }),
    )
  group
    .command('resume')
    .description('let crediting go on after a deep reorganisation stopped it')
    .action(() =>
      run({ command: 'chain resume', signers: 1 }, {}, async (tx) => {
        const reason = await resumeCrediting(tx)
        if (reason === null) throw new OperatorError('crediting has not stopped: there is nothing to resume')
        return { resumedFrom: reason }
      }),
    )
  group
    .command('rescan')
    .description('ask the node again for payments of final blocks, and record those that were missed; others stay')
    .requiredOption('--from <block>', 'the first block')
    .requiredOption('--to <block>', 'the last block')
    .action((options: { from: string; to: string }) => rescan(run, deps, options))
}

async function rescan(run: Run, { openChain, depth }: ChainDeps, options: { from: string; to: string }): Promise<void> {
  const blocks = readBlocks(options)
  const { client, gateway, assets: findAssets } = await openChain()
  const assets = findAssets()
  const tokens = [...assets].flatMap(([address, asset]) => (asset === 'JU' ? [] : [address as `0x${string}`]))
  const reader = chainReader(client, gateway, tokens)
  const [payments, enough] = await Promise.all([readFromNode(reader, { gateway, assets }, blocks), depth()])
  await run({ command: 'chain rescan', signers: 1 }, options, async (tx) => {
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
  })
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
