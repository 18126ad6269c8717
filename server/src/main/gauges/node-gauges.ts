import type { GaugeSource } from '../../api/metrics.ts'
import { countDisputes } from '../../chain/nodes/disputes.ts'
import { isOutvoted, type Nodes } from '../../chain/nodes/nodes.ts'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'

/** The nodes of the settings, for Prometheus. */
export const nodeGauges = (db: Database, nodes: Nodes, clock: Clock): GaugeSource[] => [
  {
    name: 'candela_nodes_left',
    help: 'Nodes that are down or behind for ten minutes and do not count any more.',
    read: () => nodes.all.filter(({ health }) => !health().counts).length,
  },
  {
    name: 'candela_nodes_outvoted',
    help: 'Nodes that most others contradicted about a decision on money within the last hour.',
    read: () => nodes.all.filter((node) => isOutvoted(node, clock.now())).length,
  },
  {
    name: 'candela_node_disputes',
    help: 'Decisions about money that wait because the nodes contradict each other.',
    read: () => countDisputes(db),
  },
]
