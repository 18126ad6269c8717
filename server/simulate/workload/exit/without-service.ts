import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import type { Hex } from 'viem'
import { hashOf } from '../../model/chain-model.ts'
import { type Wallet, walletKinds } from '../../model/wallets.ts'
import { type Simulation, WHOLE } from '../../run/simulation.ts'
import { GWEI, mine, reorganise } from '../chain-actions.ts'
import { mineCall } from './mine-call.ts'

const DAY_S = DAY_MS / 1000
/** The contract can be left after thirty. */
const MAX_DAYS = 26

/** The events on chain between the end of the service and the exit. */
export function withoutService(simulation: Simulation): void {
  const { network, random } = simulation
  network.gasPrice = GWEI
  // Transactions that the service has sent before its end may still come, also an attestation that nobody has read.
  for (let blocks = random.below(12); blocks > 0; blocks--) {
    mine(simulation, 1 + random.below(5), 0.7)
    if (random.chance(0.2)) reorganise(simulation)
  }
  if (random.chance(0.5)) spendWithPayerKey(simulation)
  payIn(simulation)
  takeSurplus(simulation)
  changeWallets(simulation)
}

/** The holder of the payer's key pays others and itself, within the caps. */
function spendWithPayerKey(simulation: Simulation): void {
  const { chain, contracts, members, strangers, random } = simulation
  if (chain.head.state.isPaused()) mineCall(simulation, contracts.owner, { do: 'pause', paused: false })
  const assets = assetCodes.filter(() => random.chance(0.6))
  for (let days = random.below(MAX_DAYS); days > 0; days--) {
    for (const asset of assets) {
      const to = random.pick([...members, ...strangers, ...strangers, ...strangers])
      const amount = payable(simulation, asset)
      if (amount > 0n) mineCall(simulation, contracts.payer, { do: 'pay', id: newId(simulation), asset, to, amount })
    }
    mine(simulation, DAY_S, 0)
  }
}

const newId = ({ transactions }: Simulation): Hex => hashOf(['paid with the payer’s key', transactions])

function payable({ chain, contracts, random }: Simulation, asset: AssetCode): bigint {
  const { state, timestamp } = chain.head
  const [left, held] = [state.leftOfCap(asset, timestamp), state.balance(asset, contracts.gateway)]
  const most = left < held ? left : held
  return random.chance(0.2) ? most / 3n : most
}

/** Money that comes in now is in no leaf. */
function payIn(simulation: Simulation): void {
  const { random, members } = simulation
  for (const owner of members) {
    if (random.chance(0.6)) continue
    const amount = BigInt(1 + random.below(30)) * WHOLE
    const terms = { key: 'deposit', asset: random.pick(assetCodes), amount, customer: owner, reference: '' }
    mineCall(simulation, owner, { do: 'recharge', ...terms })
  }
}

/** The owner takes what it has announced, as far as the contract lets it. */
function takeSurplus(simulation: Simulation): void {
  const { contracts, exit } = simulation
  for (const asset of assetCodes) {
    const { ok } = mineCall(simulation, contracts.owner, { do: 'take', asset })
    if (ok) exit.taken = (exit.taken ?? 0) + 1
  }
}

/** Some members have wallets by now that refuse payments. */
function changeWallets(simulation: Simulation): void {
  const { random, members } = simulation
  for (const owner of members) {
    const wallet: Wallet = random.chance(0.5) ? 'takes' : random.pick(walletKinds)
    mineCall(simulation, owner, { do: 'become', wallet })
  }
}
