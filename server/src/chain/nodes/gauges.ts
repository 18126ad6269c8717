import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { countDisputes } from './disputes.ts'
import { isOutvoted, type Nodes } from './nodes.ts'

/** The nodes of the settings, for Prometheus. */
export const nodeGauges = (db: Database, nodes: Nodes, clock: Clock): GaugeSource[] => [
  gauge(
    'nodes_left',
    'Nodes that are down or behind for ten minutes and do not count any more.',
    () => nodes.all.filter(({ health }) => !health().counts).length,
  ),
  gauge(
    'nodes_outvoted',
    'Nodes that most others contradicted about a decision on money within the last hour.',
    () => nodes.all.filter((node) => isOutvoted(node, clock.now())).length,
  ),
  gauge('node_disputes', 'Decisions about money that wait because the nodes contradict each other.', () =>
    countDisputes(db),
  ),
]
