import { fromBaseUnits } from '@candela/protocol/money/money'
import { OperatorError } from '../../kernel/errors.ts'
import { closePlan, createPlan, listAllPlans, setPlanPicture } from '../../modules/power/plans/manage-plans.ts'
import { readPlan } from '../options/plan-options.ts'
import type { Bindings } from '../run.ts'

export const planCommands: Bindings<'plan create' | 'plan close' | 'plan picture' | 'plan list'> = {
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
