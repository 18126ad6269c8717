import { startTestChain } from '@candela/testing/chain/test-chain'
import { type LieAbout, startLyingProxy } from '@candela/testing/proxies/lying-proxy'

/** Tells the truth. */
export const honest: LieAbout = () => null

export type ThreeNodes = Awaited<ReturnType<typeof startThreeNodes>>

/** A chain with three nodes. The first tells what `firstTells` says, which a test sets; the others tell the truth. */
export async function startThreeNodes() {
  const told = { firstTells: honest }
  const chain = await startTestChain({ atNoon: true })
  const first = await startLyingProxy(chain.url, (calls) => told.firstTells(calls))
  const second = await startLyingProxy(chain.url, honest)
  return Object.assign(told, {
    chain,
    urls: [first.url, second.url, chain.url] as const,
    async stop() {
      await first[Symbol.asyncDispose]()
      await second[Symbol.asyncDispose]()
      await chain.stop()
    },
  })
}
