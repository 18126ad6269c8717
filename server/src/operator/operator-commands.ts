import type { Command } from 'commander'
import { resolve } from 'node:path'
import type { Database, Tx } from '../db/open.ts'
import { OperatorError } from '../kernel/errors.ts'
import type { Output } from './print.ts'
import type { Run } from './run.ts'
import { createKeyFile } from './signing/create-key-file.ts'
import { loadOperatorKey, readPublicKey } from './signing/operator-key.ts'
import {
  addOperator,
  countOperators,
  listOperators,
  lockRegistry,
  readOperatorName,
  removeOperator,
} from './signing/operators.ts'
import { canonicalJson } from './signing/signed-terms.ts'
import { endProposal, listProposals } from './signing/proposals.ts'

type Deps = { openDatabase: () => Promise<Database>; print: (output: Output) => void }

export function addOperators(program: Command, run: Run, deps: Deps): void {
  const group = program.command('operator').description('who may give commands that change something')
  group
    .command('add')
    .description('register an operator; the first one signs with the new key, the third and later ones need two')
    .argument('<name>', '2 to 32 of the letters a to z and digits')
    .requiredOption('--key <public key>', 'ed25519:<64 hexadecimal digits>, or the address of a wallet')
    .action(async (name: string, { key }: { key: string }) => {
      const added = { name: readOperatorName(name), key: readPublicKey(key) }
      if (await isFirst(deps)) {
        return run({ command: 'operator add', signers: 1, first: added }, added, () => Promise.resolve(added))
      }
      return run({ command: 'operator add', signers: signersToAdd }, added, async (tx, now) => {
        await addOperator(tx, added, now)
        return added
      })
    })
  group
    .command('remove')
    .description('end an operator for good; needs two, of whom the removed one may be one')
    .argument('<name>')
    .action((text: string) => {
      const name = readOperatorName(text)
      return run({ command: 'operator remove', signers: signersToRemove, alone: areTwo }, { name }, async (tx, now) => {
        await removeOperator(tx, name, now)
        return { name, removedAt: now }
      })
    })
  group.command('list').action(() =>
    run({ command: 'operator list', signers: 0 }, {}, async (tx) => {
      const operators = await listOperators(tx)
      return operators.map(({ name, key, signed, added_at, removed_at }) => ({
        name,
        key,
        commands: signed,
        addedAt: added_at,
        removedAt: removed_at,
      }))
    }),
  )
  addKeys(group, deps)
}

/** These work without the service, on the operator's own machine. */
function addKeys(group: Command, { print }: Deps): void {
  group
    .command('new-key')
    .description('write a new private key to a file that only you may read, and show the public key')
    .argument('<file>')
    .action(async (file: string) => {
      const path = resolve(file)
      await createKeyFile(path)
      print({ file: path, key: (await loadOperatorKey(path)).publicKey })
    })
  group
    .command('show-key')
    .description('show the public key of a private key')
    .argument('<file>')
    .action(async (file: string) => {
      const path = resolve(file)
      print({ file: path, key: (await loadOperatorKey(path)).publicKey })
    })
}

async function isFirst({ openDatabase }: Deps): Promise<boolean> {
  const db = await openDatabase()
  try {
    return (await listOperators(db)).length === 0
  } finally {
    await db.destroy()
  }
}

async function signersToAdd(tx: Tx): Promise<1 | 2> {
  await lockRegistry(tx)
  return (await countOperators(tx)) > 1 ? 2 : 1
}

async function signersToRemove(tx: Tx): Promise<2> {
  await lockRegistry(tx)
  return 2
}

/** With two, nobody else could agree when one key is lost. */
const areTwo = async (tx: Tx): Promise<boolean> => (await countOperators(tx)) === 2

export function addProposals(program: Command, run: Run): void {
  const group = program.command('proposal').description('what one operator has signed and another one has to sign too')
  group.command('list').action(() =>
    run({ command: 'proposal list', signers: 0 }, {}, async (tx, now) => {
      const proposals = await listProposals(tx, now)
      return proposals.map(({ input, ...proposal }) => ({ ...proposal, input: canonicalJson(input) }))
    }),
  )
  group
    .command('end')
    .description('end a proposal that is not to be done; each operator may')
    .argument('<id>')
    .action((id: string) =>
      run({ command: 'proposal end', signers: 1 }, { id }, async (tx, now) => {
        const ended = /^[1-9][0-9]{0,17}$/.test(id) && (await endProposal(tx, BigInt(id), 'withdrawn', now))
        if (!ended) throw new OperatorError(`there is no open proposal ${id}`)
        return { id, endedAt: now }
      }),
    )
}
