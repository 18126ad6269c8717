import type { Home } from '../published.ts'
import type { Report } from '../report.ts'
import type { Rpc } from '../sources/rpc.ts'

/** The contract that is checked, with its tokens; lower case. */
export type Contracts = Home['contracts']

const USDT = '0x2f48ab7d'
const TOKEN = '0xfc0c546a'

/**
 * The contract that was asked for, with the tokens that it names itself. What the service says of them is compared and not believed: a
 * service could publish figures of a contract of its own.
 * @param gateway lower case
 * @throws Error when there is no such contract on that chain
 */
export async function checkContracts(
  report: Report,
  rpc: Rpc,
  { network, contracts: said }: Pick<Home, 'network' | 'contracts'>,
  { gateway, chainId }: { gateway: string; chainId: number },
): Promise<Contracts> {
  report.equal('service', 'chain', Number(network.chainId), chainId)
  report.equal('service', 'chain of the node', Number(await rpc.call('eth_chainId', [])), chainId)
  const ask = async (data: string): Promise<string> => {
    const answer = String(await rpc.call('eth_call', [{ to: gateway, data }, 'latest']))
    if (!/^0x0{24}[0-9a-f]{40}$/i.test(answer)) throw new Error(`there is no payment contract at ${gateway}`)
    return `0x${answer.slice(26).toLowerCase()}`
  }
  const contracts = { gateway, usdt: await ask(USDT), hash: await ask(TOKEN) }
  report.equal('service', 'contract', said.gateway, contracts.gateway)
  report.equal('service', 'USDT', said.usdt, contracts.usdt)
  report.equal('service', 'HASH', said.hash, contracts.hash)
  return contracts
}
