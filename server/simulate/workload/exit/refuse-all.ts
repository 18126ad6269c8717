import { assetCodes } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import type { Call } from '../../model/calls.ts'
import { hashOf } from '../../model/chain-model.ts'
import type { Simulation } from '../../run/simulation.ts'
import { mineCall } from './mine-call.ts'
import type { ExitChecks } from './checks.ts'

/** In exit mode nothing is paid, attested, recharged or taken any more, and it does not begin again. */
export function refuseAll(simulation: Simulation, checks: ExitChecks): void {
  const { chain, contracts, members, transactions } = simulation
  const [member = contracts.owner] = members
  const { last } = chain.head.state.attested
  const id = hashOf(['after the exit', transactions])
  const attest: Call = {
    do: 'attest',
    day: BigInt(Math.floor((chain.head.timestamp * 1000) / DAY_MS)),
    root: id,
    sums: last.sums,
    subcoin: contracts.hash,
    leaves: 1n,
    block: BigInt(chain.head.number),
    sequence: last.sequence,
  }
  if (chain.head.state.isPaused()) checks.done(mineCall(simulation, contracts.owner, { do: 'pause', paused: false }))
  checks.refused(mineCall(simulation, contracts.attester, attest), 'InExit')
  checks.refused(mineCall(simulation, contracts.owner, { do: 'enterExit' }), 'InExit')
  checks.refused(mineCall(simulation, member, { do: 'native', amount: 1n }), 'InExit')
  for (const asset of assetCodes) {
    const paid = { asset, amount: 1n }
    const from = { customer: member, key: 'deposit', reference: '' }
    checks.refused(mineCall(simulation, contracts.payer, { do: 'pay', id, to: member, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, member, { do: 'recharge', ...from, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, contracts.owner, { do: 'announceTaking', to: member, ...paid }), 'InExit')
    checks.refused(mineCall(simulation, contracts.owner, { do: 'take', asset }), 'InExit')
  }
}
