import type { Command } from 'commander'
import type { Database } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'
import type { Bindings, Bound, Input, Run } from '../run.ts'
import { readProposal } from '../signing/proposals.ts'
import { canonicalJson } from '../signing/signed-terms.ts'
import { commandGroups, type CommandName, commandNames, definitionOf, isCommandName } from '../table/command-table.ts'
import { chainCommands, type ChainDeps } from './chain-commands.ts'
import { contractCommands } from './contract/contract-commands.ts'
import { closeCommands } from './close-commands.ts'
import { lendingCommands } from './money/lending-commands.ts'
import { depositCommands } from './money/deposit-commands.ts'
import { ledgerCommands } from './money/ledger-commands.ts'
import { operatorCommands } from './operator-commands.ts'
import { payerCommands } from './money/payer-commands.ts'
import { priceCommands } from './price-commands.ts'
import { projectCommands } from './project-commands.ts'
import { reconcileCommands } from './money/reconcile-commands.ts'
import { revenueCommands, type RevenueDeps } from './revenue-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { surplusCommands } from './money/surplus-commands.ts'
import { suspenseCommands } from './money/suspense-commands.ts'
import { withdrawalCommands } from './money/withdrawal-commands.ts'
import { verifyAudit } from '../signing/verify-audit.ts'
import {
  closeInvitation,
  createInvitation,
  listCrowdedCodes,
  listInvitations,
} from '../../modules/member/manage-invitations.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { closePlan, createPlan, listAllPlans, setPlanPicture } from '../../modules/power/plans/manage-plans.ts'
import { readPlan } from '../options/plan-options.ts'
import { utcDay } from '@candela/protocol/calendar'
import { requestAttestation } from '../../modules/proof/attest/request-attestation.ts'
import { getSetting, isDangerous, listSettings, setSetting } from '../../modules/setting/manage-settings.ts'

const settingCommands: Bindings<'setting set' | 'setting get' | 'setting list'> = {
  'setting set': {
    signers: async (tx, { key, value }) => ((await isDangerous(tx, key, value)) ? 2 : 1),
    work: async (tx, { key, value }, { now }) => {
      const before = await getSetting(tx, key)
      await setSetting(tx, key, value, now)
      const after = await getSetting(tx, key)
      return { key, before: before.value, value: after.value }
    },
  },
  'setting get': (tx, { key }) => getSetting(tx, key),
  'setting list': (tx) => listSettings(tx),
}

const attestCommands: Bindings<'attest'> = {
  attest: async (tx, _input, { now }) => {
    const day = utcDay(now)
    if (!(await requestAttestation(tx, day, now))) throw new OperatorError(`${day} is attested, or about to be`)
    return { day, state: 'the service attests it with its next round' }
  },
}

const planCommands: Bindings<'plan create' | 'plan close' | 'plan picture' | 'plan list'> = {
  'plan create': async (tx, options, { now }) => ({ id: await createPlan(tx, await readPlan(tx, options), now) }),
  'plan close': async (tx, { id }, { now }) => {
    const closed = isId(id) && (await closePlan(tx, BigInt(id), now))
    if (!closed) throw new OperatorError(`there is no open plan ${id}`)
    return { id, closedAt: now }
  },
  'plan picture': async (tx, { id, url }, { now }) => {
    const changed = isId(id) && (await setPlanPicture(tx, BigInt(id), url))
    if (!changed) throw new OperatorError(`there is no plan ${id}`)
    return { id, picture: url, changedAt: now }
  },
  'plan list': async (tx) => {
    const plans = await listAllPlans(tx)
    return plans.map((plan) => ({ ...plan, unit_price: fromBaseUnits(plan.unit_price) }))
  },
}

const isId = (id: string): boolean => /^[1-9][0-9]{0,17}$/.test(id)

const invitationCommands: Bindings<'invitation create' | 'invitation close' | 'invitation list'> = {
  'invitation create': async (tx, { code, note }, { now }) => {
    await createInvitation(tx, { code, note }, now)
    return { code, note, createdAt: now }
  },
  'invitation close': async (tx, { code }, { now }) => {
    const uid = await closeInvitation(tx, code, now)
    return { code, ...(uid === null ? {} : { ofMember: uid }), closedAt: now }
  },
  'invitation list': (tx, { crowded }, { now }) => (crowded === true ? listCrowdedCodes(tx, now) : listInvitations(tx)),
}

const auditCommands: Bindings<'audit verify'> = {
  'audit verify': async (tx) => {
    const { bad, ...counts } = await verifyAudit(tx)
    // More than an operator reads at once is one incident.
    const lines = bad.slice(0, 20).map((each) => `\n  ${each}`)
    if (bad.length > 0)
      throw new OperatorError(`the audit table is not what was signed (${bad.length}):${lines.join('')}`)
    return { ...counts, result: 'every signature is right' }
  },
}

export type CommandsDeps = RevenueDeps & ChainDeps & { readTime: (db: Database) => Promise<Date> }

/** The work of every command: the compiler says which one is missing. */
const bindingsOf = (deps: CommandsDeps): Bindings<Exclude<CommandName, 'revenue posted' | 'proposal sign'>> => ({
  ...operatorCommands(deps),
  ...auditCommands,
  ...sessionCommands,
  ...invitationCommands,
  ...planCommands,
  ...projectCommands,
  ...settingCommands,
  ...priceCommands,
  ...withdrawalCommands(deps),
  ...payerCommands(deps),
  ...reconcileCommands,
  ...surplusCommands,
  ...suspenseCommands,
  ...depositCommands,
  ...lendingCommands,
  ...ledgerCommands,
  ...contractCommands(deps),
  ...chainCommands(deps),
  ...attestCommands,
  ...revenueCommands(deps),
  ...closeCommands(deps),
})

type AnyBinding = Bound['work'] | Bound | { act: (typed: Input, run: Run) => Promise<void> }

/** Makes the parser from the table of commands, each command bound to its work. */
export function addCommands(program: Command, run: Run, deps: CommandsDeps): void {
  const bindings: Partial<Record<CommandName, unknown>> = bindingsOf(deps)
  for (const name of commandNames) {
    const definition = definitionOf(name)
    if (!definition.isTyped) continue
    const words = name.split(' ')
    const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '')
    const made = parent
      .command(words.at(-1) ?? '', { isDefault: definition.isDefault })
      .description(`${definition.effect}${signersText(definition.signers)}`)
    for (const one of definition.arguments) made.addArgument(one)
    for (const one of definition.options) made.addOption(one)
    made.action(async () => {
      const values = definition.arguments.map((one, nth) => [one.name(), made.processedArgs[nth]])
      const typed = readInput(name, { ...made.opts<Input>(), ...Object.fromEntries(values) })
      if (name === 'proposal sign') return signProposal(bindings, run, deps, String(typed['id']))
      await runBinding(bindings[name] as AnyBinding, name, typed, run)
    })
  }
}

const signersText = (signers: ReturnType<typeof definitionOf>['signers']): string =>
  signers === 2 ? '; two operators' : ''

function groupOf(program: Command, word: string): Command {
  const known = program.commands.find((one) => one.name() === word)
  return known ?? program.command(word).description(commandGroups[word] ?? '')
}

/** @throws OperatorError when what was typed is no input of this command */
function readInput(name: CommandName, typed: Input): Input {
  const { input, typed: schema = input } = definitionOf(name)
  const read = schema.safeParse(typed)
  if (read.success) return read.data as Input
  const [issue] = read.error.issues
  throw new OperatorError(`${issue?.path.join('.') ?? name}: ${issue?.message ?? 'is wrong'}`)
}

async function runBinding(binding: AnyBinding, name: CommandName, typed: Input, run: Run): Promise<void> {
  if (typeof binding === 'function') return run(name, typed, { work: binding })
  await ('act' in binding ? binding.act(typed, run) : run(name, typed, binding))
}

/** Shows what was proposed, whole, and signs exactly that. */
async function signProposal(
  bindings: Partial<Record<CommandName, unknown>>,
  run: Run,
  { openDatabase, readTime, print }: CommandsDeps,
  id: string,
): Promise<void> {
  const db = await openDatabase()
  let proposal
  try {
    proposal = await readProposal(db, id, await readTime(db))
  } finally {
    await db.destroy()
  }
  const { command, input, proposedBy, proposedAt, expiresAt } = proposal
  if (!isCommandName(command)) throw new OperatorError(`this version has no command "${command}"`)
  print({ proposal: id, command, input: canonicalJson(input), proposedBy, proposedAt, until: expiresAt })
  const binding = bindings[command] as AnyBinding
  const bound = typeof binding === 'function' ? { work: binding } : binding
  if ('act' in bound) throw new OperatorError(`"${command}" is given again, word for word`)
  await run(command, readInput(command, input), bound, proposal.id)
}
