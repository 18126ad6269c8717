import { OperatorError } from '../../kernel/errors.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import { closePlan, createPlan, listAllPlans, setPlanPicture } from '../../modules/power/plans/manage-plans.ts'
import {
  closeInvitation,
  createInvitation,
  listCrowdedCodes,
  listInvitations,
} from '../../modules/member/manage-invitations.ts'
import { addAudit } from './audit-commands.ts'
import { addChain, type ChainDeps } from './chain-commands.ts'
import { addCredit } from './credit-commands.ts'
import { addLedger } from './ledger-commands.ts'
import { addReconciliation, addWithdrawals } from './money-commands.ts'
import { addOperators, addProposals } from './operator-commands.ts'
import { getSetting, isDangerous, listSettings, setSetting } from '../../modules/setting/manage-settings.ts'
import { addPayer } from './payer-commands.ts'
import { readPictureUrl } from '../options/picture-url.ts'
import { planOptions, readPlan } from '../options/plan-options.ts'
import { addClose, addRevenue, type RevenueDeps } from './revenue-commands.ts'
import type { Tx } from '../../db/open.ts'
import { addAttest } from './proof-commands.ts'
import { addPrices } from './price-commands.ts'
import { addProjects } from './project-commands.ts'
import type { Run } from '../run.ts'
import { addSessions } from './session-commands.ts'
import { addSurplus } from './surplus-commands.ts'
import { addSuspense } from './suspense-commands.ts'

/** Every command of the operator, bound to its use case. */
export function addCommands(program: Command, run: Run, deps: RevenueDeps & ChainDeps): void {
  addOperators(program, run, deps)
  addProposals(program, run)
  addAudit(program, run)
  addInvitations(program, run)
  addPlans(program, run)
  addProjects(program, run)
  addCredit(program, run)
  addSettings(program, run)
  addWithdrawals(program, run, deps)
  addReconciliation(program, run)
  addLedger(program, run)
  addPayer(program, run, deps)
  addAttest(program, run)
  addSuspense(program, run)
  addSurplus(program, run)
  addSessions(program, run)
  addChain(program, run, deps)
  addPrices(program, run)
  addRevenue(program, run, deps)
  addClose(program, run, deps)
}

function addInvitations(program: Command, run: Run): void {
  const group = program
    .command('invitation')
    .description('codes that bring in members: root codes, and the members’ own')
  group
    .command('create')
    .argument('<code>', '4 to 16 capital letters and digits')
    .option('--note <text>', 'what it is for', '')
    .action((code: string, { note }: { note: string }) =>
      run({ command: 'invitation create', signers: 1 }, { code, note }, async (tx, now) => {
        await createInvitation(tx, { code, note }, now)
        return { code, note, createdAt: now }
      }),
    )
  group
    .command('close')
    .description('close a root code, or the own code of a member, for further members')
    .argument('<code>')
    .action((code: string) =>
      run({ command: 'invitation close', signers: 1 }, { code }, async (tx, now) => {
        const uid = await closeInvitation(tx, code, now)
        return { code, ...(uid === null ? {} : { ofMember: uid }), closedAt: now }
      }),
    )
  group
    .command('list')
    .option('--crowded', 'the codes of members by which most accounts of the last day came')
    .action(({ crowded = false }: { crowded?: boolean }) =>
      run({ command: 'invitation list', signers: 0 }, { crowded }, (tx, now) =>
        crowded ? listCrowdedCodes(tx, now) : listInvitations(tx),
      ),
    )
}

function addPlans(program: Command, run: Run): void {
  const group = program.command('plan').description('plans of computing power')
  const create = group.command('create').description('put a plan on sale')
  for (const option of planOptions) create.addOption(option)
  create.action((options: Record<string, string>) =>
    run({ command: 'plan create', signers: 1 }, options, async (tx, now) => ({
      id: await createPlan(tx, await readPlan(tx, options), now),
    })),
  )
  group
    .command('close')
    .description('take a plan off sale; its orders stay as they are')
    .argument('<id>')
    .action((id: string) =>
      run({ command: 'plan close', signers: 1 }, { id }, async (tx, now) => {
        const closed = /^[1-9][0-9]{0,17}$/.test(id) && (await closePlan(tx, BigInt(id), now))
        if (!closed) throw new OperatorError(`there is no open plan ${id}`)
        return { id, closedAt: now }
      }),
    )
  group
    .command('picture')
    .description('show another picture of a plan; its origin must be in IMAGE_ORIGINS')
    .argument('<id>')
    .argument('<url>', 'https, or none')
    .action((id: string, typed: string) => {
      const url = readPictureUrl(typed)
      return run({ command: 'plan picture', signers: 1 }, { id, url }, async (tx, now) => {
        const changed = /^[1-9][0-9]{0,17}$/.test(id) && (await setPlanPicture(tx, BigInt(id), url))
        if (!changed) throw new OperatorError(`there is no plan ${id}`)
        return { id, picture: url, changedAt: now }
      })
    })
  group.command('list').action(() =>
    run({ command: 'plan list', signers: 0 }, {}, async (tx) => {
      const plans = await listAllPlans(tx)
      return plans.map((plan) => ({ ...plan, unit_price: fromBaseUnits(plan.unit_price) }))
    }),
  )
}

function addSettings(program: Command, run: Run): void {
  const group = program.command('setting').description('what can be set while the service runs')
  group
    .command('set')
    .argument('<key>')
    .argument('<value>')
    .action((key: string, value: string) =>
      run(
        { command: 'setting set', signers: (tx) => signersOfSetting(tx, key, value) },
        { key, value },
        async (tx, now) => {
          const before = await getSetting(tx, key)
          await setSetting(tx, key, value, now)
          const after = await getSetting(tx, key)
          return { key, before: before.value, value: after.value }
        },
      ),
    )
  group
    .command('get')
    .argument('<key>')
    .action((key: string) => run({ command: 'setting get', signers: 0 }, { key }, (tx) => getSetting(tx, key)))
  group.command('list').action(() => run({ command: 'setting list', signers: 0 }, {}, listSettings))
}

/** What raises a limit, or lowers a fee or a guard, needs two. */
const signersOfSetting = async (tx: Tx, key: string, value: string): Promise<1 | 2> =>
  (await isDangerous(tx, key, value)) ? 2 : 1
