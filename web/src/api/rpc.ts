/** Questions to a node by JSON-RPC over HTTP, for pages that have no wallet to ask. @param url as the person typed it */
export const openRpc =
  (url: string) =>
  async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { id, result, error } = (await answer.json()) as {
      id?: unknown
      result?: unknown
      error?: { message?: string }
    }
    if (error !== undefined && error !== null) throw new Error(error.message ?? 'the node refused')
    // Anything else would be the answer to another question.
    if (id !== 1 || result === undefined) throw new TypeError('the node gave no answer')
    return result
  }
