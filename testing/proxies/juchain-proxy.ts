import { juchainRules } from '../chain/juchain.ts'
import { serveJsonRpc } from '../chain/serve-json-rpc.ts'

/** A proxy that makes a node answer as one of JuChain. `blocked`: addresses of its list, lower case; a test may change it. */
export async function startJuchainProxy(nodeUrl: string) {
  const blocked = new Set<string>()
  const refusalOf = juchainRules(() => blocked)
  const server = await serveJsonRpc(async (call) => {
    const error = await refusalOf(call)
    if (error !== null) return { jsonrpc: '2.0', id: call.id, error }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
    return (await (await fetch(nodeUrl, init)).json()) as object
  })
  return { ...server, blocked }
}
