import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { nameOf } from '../nodes/addresses.ts'
import { checkNode, type NodeCheck, type NodeSettings } from './check-node.ts'

/** The gaps between what the service needs and what the nodes offer. */
export type NodeGaps = {
  /** Looks again when it is time: each hour, each minute while something is missing or no node has answered. */
  look: () => Promise<void>
  /** The gaps of the node that lacks the least; null while no node has answered. */
  missing: () => readonly string[] | null
}

/** Readiness has parts of its own for the head, and logs that a node leaves out are no reason to stop. */
const notAsked: readonly string[] = ['chain and head', 'synchronised', 'bloom filters']

/** A node that does not answer says nothing about what it offers: what was found before stays. */
export function nodeGaps(
  nodes: readonly NodeSettings[],
  { clock, log, check = checkNode }: { clock: Clock; log: Log; check?: (node: NodeSettings) => Promise<NodeCheck[]> },
): NodeGaps {
  const found = nodes.map((): readonly string[] | null => null)
  let nextAt = 0
  const missing = () => found.filter((each) => each !== null).toSorted((a, b) => a.length - b.length)[0] ?? null
  const lookAt = async (node: NodeSettings, index: number): Promise<void> => {
    const checks = (await check(node)).filter((one) => !notAsked.includes(one.check))
    if (checks.length === 0 || checks.some(({ isAnswered }) => !isAnswered)) return
    const now = checks.filter(({ ok }) => !ok)
    const names = now.map((one) => one.check)
    if (names.length > 0 && names.join() !== found[index]?.join()) {
      const facts = { node: nameOf(node.url), missing: now.map((one) => `${one.check}: ${one.found}`).join('; ') }
      log.error({ event: 'node.lacks', ...facts }, 'a node does not have what the service needs: see "chain check"')
    }
    found[index] = names
  }
  return {
    missing,
    async look() {
      const now = clock.now().getTime()
      if (now < nextAt) return
      await Promise.all(nodes.map(lookAt))
      nextAt = now + (missing()?.length === 0 ? HOUR_MS : MINUTE_MS)
    },
  }
}
