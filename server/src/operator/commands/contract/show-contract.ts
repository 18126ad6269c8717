import { fromBaseUnits } from '@candela/protocol/money/money'
import { getAddress, type Hex } from 'viem'
import type { Announced, GatewayControl } from '../../../chain/payout/gateway-control.ts'
import type { Tx } from '../../../db/open.ts'
import type { Line } from '../../print.ts'
import type { Input } from '../../run.ts'
import { canonicalJson } from '../../signing/signed-terms.ts'
import type { CommandName } from '../../table/command-table.ts'
import { sql } from 'kysely'

const line = (what: string, now: string): Line => ({ what, now, announced: '-', from: '-', until: '-', command: '-' })

/** Shows what the contract says now, and what is announced: what no operator has given a command for may be a thief's. */
export async function showControl(tx: Tx, control: GatewayControl): Promise<Line[]> {
  const { owner, nextOwner, payer, attester, guardian, standbys, isPaused, attestedAt, exitedAt, subcoin } = control
  // The service stops before a payment in another token.
  const isOurs = subcoin.toLowerCase() === control.assets.get('HASH')?.address.toLowerCase()
  const announcing = async (
    said: Line,
    announced: Announced<object> | null,
    { text, name, input }: { text: string; name: CommandName; input: Input },
  ): Promise<Line> =>
    announced === null
      ? said
      : {
          ...said,
          announced: text,
          from: announced.from,
          until: announced.until ?? 'no end',
          command: await givenBy(tx, name, input),
        }
  const roleLine = (role: 'payer' | 'attester', account: Hex | null) => {
    const standby = standbys[role]
    const address = standby?.account ?? ''
    return announcing(line(role, nameOf(account)), standby, {
      text: `standby ${address}`,
      name: 'contract standby',
      input: { role, address: address.toLowerCase() },
    })
  }
  const lines = [
    await announcing(line('owner', getAddress(owner)), nextOwner, {
      text: nextOwner?.account ?? '',
      name: 'contract announce-owner',
      input: { address: nextOwner?.account.toLowerCase() },
    }),
    await roleLine('payer', payer),
    await roleLine('attester', attester),
    line('guardian', nameOf(guardian)),
    line('payments out', isPaused ? 'paused' : 'go on'),
    line('last attestation', attestedAt?.toISOString() ?? 'none'),
    line('token of HASH', `${subcoin}${isOurs ? '' : ' and not HASH_ADDRESS'}`),
    line('exit mode', exitedAt === null ? 'no' : `since ${exitedAt.toISOString()}`),
  ]
  for (const [asset, { cap, left, raise, taking }] of control.assets) {
    const raised = fromBaseUnits(raise?.amount ?? 0n)
    lines.push(
      await announcing(line(`cap of ${asset}`, `${fromBaseUnits(cap)}, of which ${fromBaseUnits(left)} now`), raise, {
        text: raised,
        name: 'contract announce-cap',
        input: { asset, amount: raised },
      }),
    )
    if (taking === null) continue
    const amount = fromBaseUnits(taking.amount)
    lines.push(
      await announcing(line(`taking of ${asset}`, '-'), taking, {
        text: `${amount} to ${taking.to}`,
        name: 'contract announce-taking',
        input: { asset, amount, to: taking.to.toLowerCase() },
      }),
    )
  }
  return lines
}

const nameOf = (account: Hex | null): string => account ?? 'nobody'

/** Finds the operator who has given the command last that announces this. Those of the deployment have none. */
async function givenBy(tx: Tx, command: CommandName, input: Input): Promise<string> {
  const given = await tx
    .selectFrom('operator_audit')
    .select(['operator', 'at'])
    .where('command', '=', command)
    .where('outcome', '=', 'done')
    .where(sql<boolean>`input = ${canonicalJson(input)}::jsonb`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return given === undefined ? 'NONE' : `${given.operator} ${given.at.toISOString()}`
}
