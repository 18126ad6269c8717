import type { GaugeSource } from '../../api/metrics.ts'
import { countDisputes } from '../../chain/nodes/disputes.ts'
import type { Nodes } from '../../chain/nodes/nodes.ts'
import type { Database } from '../../db/open.ts'

/** The nodes of the settings, for Prometheus. */
export const nodeGauges = (db: Database, nodes: Nodes): GaugeSource[] => [
  {
    name: 'candela_nodes_left',
    help: 'Nodes that are down or behind for ten minutes and do not count any more.',
    read: () => nodes.all.filter(({ health }) => !health().counts).length,
  },
  {
    name: 'candela_node_disputes',
    help: 'Decisions about money that wait because the nodes contradict each other.',
    read: () => countDisputes(db),
  },
]
