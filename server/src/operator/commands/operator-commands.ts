import { resolve } from 'node:path'
import type { Database, Tx } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Output } from '../print.ts'
import type { Bindings } from '../run.ts'
import { createKeyFile } from '../signing/create-key-file.ts'
import { loadOperatorKey } from '../signing/operator-key.ts'
import { addOperator, countOperators, listOperators, lockRegistry, removeOperator } from '../signing/operators.ts'
import { canonicalJson } from '../signing/signed-terms.ts'
import { endProposal, listProposals } from '../signing/proposals.ts'

type Deps = { openDatabase: () => Promise<Database>; print: (output: Output) => void }

type Name =
  | 'operator add'
  | 'operator remove'
  | 'operator list'
  | 'operator new-key'
  | 'operator show-key'
  | 'proposal list'
  | 'proposal end'

export const operatorCommands = (deps: Deps): Bindings<Name> => ({
  'operator add': {
    isFirst: () => isFirst(deps),
    signers: signersToAdd,
    work: async (tx, added, { now }) => {
      await addOperator(tx, added, now)
      return added
    },
  },
  'operator remove': {
    alone: areTwo,
    work: async (tx, { name }, { now }) => {
      await removeOperator(tx, name, now)
      return { name, removedAt: now }
    },
  },
  'operator list': async (tx) => {
    const operators = await listOperators(tx)
    return operators.map(({ name, key, signed, added_at, removed_at }) => ({
      name,
      key,
      commands: signed,
      addedAt: added_at,
      removedAt: removed_at,
    }))
  },
  'operator new-key': {
    act: async ({ file }) => {
      const path = resolve(file)
      await createKeyFile(path)
      deps.print({ file: path, key: (await loadOperatorKey(path)).publicKey })
    },
  },
  'operator show-key': {
    act: async ({ file }) => {
      const path = resolve(file)
      deps.print({ file: path, key: (await loadOperatorKey(path)).publicKey })
    },
  },
  'proposal list': async (tx, _input, { now }) => {
    const proposals = await listProposals(tx, now)
    return proposals.map(({ input, ...proposal }) => ({ ...proposal, input: canonicalJson(input) }))
  },
  'proposal end': async (tx, { id }, { now }) => {
    const ended = /^[1-9][0-9]{0,17}$/.test(id) && (await endProposal(tx, BigInt(id), 'withdrawn', now))
    if (!ended) throw new OperatorError(`there is no open proposal ${id}`)
    return { id, endedAt: now }
  },
})

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

/** With two, nobody else could agree when one key is lost. */
async function areTwo(tx: Tx): Promise<boolean> {
  await lockRegistry(tx)
  return (await countOperators(tx)) === 2
}
