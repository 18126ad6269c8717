import { OperatorError } from '../kernel/errors.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import { resumeCrediting } from '../chain/follow/start-following.ts'
import { listTroubledPayments } from '../chain/follow/status.ts'
import { closePlan, createPlan, listAllPlans } from '../modules/power/plans/manage-plans.ts'
import { closeInvitation, createInvitation, listInvitations } from '../modules/member/manage-invitations.ts'
import { addReconciliation, addWithdrawals } from './money-commands.ts'
import { getSetting, listSettings, setSetting } from '../modules/setting/manage-settings.ts'
import { addPayer } from './payer-commands.ts'
import { planOptions, readPlan } from './plan-options.ts'
import { addClose, addRevenue, type RevenueDeps } from './revenue-commands.ts'
import type { Run } from './run.ts'
import { addSessions } from './session-commands.ts'
import { addSuspense } from './suspense-commands.ts'

/** Every command of the operator, bound to its use case. */
export function addCommands(program: Command, run: Run, deps: RevenueDeps): void {
  addInvitations(program, run)
  addPlans(program, run)
  addSettings(program, run)
  addWithdrawals(program, run)
  addReconciliation(program, run)
  addPayer(program, run, deps)
  addSuspense(program, run)
  addSessions(program, run)
  addChain(program, run)
  addRevenue(program, run, deps)
  addClose(program, run, deps)
}

function addInvitations(program: Command, run: Run): void {
  const group = program.command('invitation').description('root codes, which bring in members without an inviter')
  group
    .command('create')
    .argument('<code>', '4 to 16 capital letters and digits')
    .option('--note <text>', 'what it is for', '')
    .action((code: string, { note }: { note: string }) =>
      run('invitation create', { code, note }, async (tx, now) => {
        await createInvitation(tx, { code, note }, now)
        return { code, note, createdAt: now }
      }),
    )
  group
    .command('close')
    .argument('<code>')
    .action((code: string) =>
      run('invitation close', { code }, async (tx, now) => {
        await closeInvitation(tx, code, now)
        return { code, closedAt: now }
      }),
    )
  group.command('list').action(() => run('invitation list', {}, listInvitations))
}

function addPlans(program: Command, run: Run): void {
  const group = program.command('plan').description('plans of computing power')
  const create = group.command('create').description('put a plan on sale')
  for (const option of planOptions) create.addOption(option)
  create.action((options: Record<string, string>) =>
    run('plan create', options, async (tx, now) => ({ id: await createPlan(tx, await readPlan(tx, options), now) })),
  )
  group
    .command('close')
    .description('take a plan off sale; its orders stay as they are')
    .argument('<id>')
    .action((id: string) =>
      run('plan close', { id }, async (tx, now) => {
        const closed = /^[1-9][0-9]{0,17}$/.test(id) && (await closePlan(tx, BigInt(id), now))
        if (!closed) throw new OperatorError(`there is no open plan ${id}`)
        return { id, closedAt: now }
      }),
    )
  group.command('list').action(() =>
    run('plan list', {}, async (tx) => {
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
      run('setting set', { key, value }, async (tx, now) => {
        const before = await getSetting(tx, key)
        await setSetting(tx, key, value, now)
        const after = await getSetting(tx, key)
        return { key, before: before.value, value: after.value }
      }),
    )
  group
    .command('get')
    .argument('<key>')
    .action((key: string) => run('setting get', { key }, (tx) => getSetting(tx, key)))
  group.command('list').action(() => run('setting list', {}, listSettings))
}

function addChain(program: Command, run: Run): void {
  const group = program.command('chain').description('what the service reads from the chain')
  group
    .command('trouble')
    .description('payments that could not be settled, and credited ones that left the chain')
    .action(() =>
      run('chain trouble', {}, async (tx) => {
        const payments = await listTroubledPayments(tx)
        return payments.map((payment) => ({ ...payment, amount: fromBaseUnits(payment.amount) }))
      }),
    )
  group
    .command('resume')
    .description('let crediting go on after a deep reorganisation stopped it')
    .action(() =>
      run('chain resume', {}, async (tx) => {
        const reason = await resumeCrediting(tx)
        if (reason === null) throw new OperatorError('crediting has not stopped: there is nothing to resume')
        return { resumedFrom: reason }
      }),
    )
}
