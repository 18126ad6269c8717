/** `npm start`: the whole product on one machine. Ctrl-C stops it; the next start goes on where it stopped. */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { developmentMnemonic, testAccounts } from '@candela/testing/chain/accounts'
import { type Devnet, startDevnet } from './devnet.ts'
import { launch } from './launch.ts'
import { rootInvitation } from './seed/root-invitation.ts'

await launch(import.meta.filename, async ({ log, signal }) => {
  const devnet = await startDevnet({ env: process.env, log, signal })
  return { announcement: announcement(devnet), failed: devnet.failed, stop: devnet.stop }
})

function announcement(devnet: Devnet): string {
  const { config } = devnet.settings
  const lines = [
    '',
    'Candela runs.',
    '',
    `  app              ${config.http.publicOrigin}`,
    `  chain RPC        ${devnet.rpcUrl}  (chain id ${CHAIN_ID})`,
    `  data             ${config.dataDir}`,
  ]
  if (devnet.chain !== undefined) {
    lines.push(
      `  invitation code  ${rootInvitation}`,
      '',
      '  Test accounts. Everybody knows their keys: play money only.',
    )
    lines.push(`  Mnemonic: ${developmentMnemonic}`)
    for (const { index, role, address, privateKey } of testAccounts()) {
      lines.push(`  ${index} ${role.padEnd(5)}  ${address}  ${privateKey}`)
    }
  }
  return [...lines, '', 'Ctrl-C stops everything.', ''].join('\n')
}
