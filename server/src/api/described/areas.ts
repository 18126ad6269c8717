import { accounts } from './accounts.ts'
import type { Described } from './described.ts'
import { lending } from './lending.ts'
import { lever } from './lever.ts'
import { payments } from './payments.ts'
import { power } from './power.ts'
import { proofs } from './proofs.ts'
import { values } from './shared.ts'

const areas = [accounts, payments, power, lending, lever, proofs]

export const named = Object.assign({}, values, ...areas.map(({ schemas = {} }) => schemas)) as NonNullable<
  Described['schemas']
>

export const ofEndpoints = Object.assign({}, ...areas.map(({ endpoints }) => endpoints)) as Described['endpoints']
