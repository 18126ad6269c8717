import type { Handlers } from '../../kernel/handler.ts'
import { leverHandlers } from './lever/endpoints.ts'
import type { LoanDeps } from './loan/deps.ts'
import { loanHandlers } from './loan/endpoints.ts'
import { projectHandlers } from './project/endpoints.ts'

type LendingKey =
  | keyof ReturnType<typeof projectHandlers>
  | keyof ReturnType<typeof loanHandlers>
  | keyof ReturnType<typeof leverHandlers>

/** Every endpoint of projects, of loans and of leveraged loans. */
export const lendingHandlers = (deps: LoanDeps): Handlers<LendingKey> => ({
  ...projectHandlers(deps),
  ...loanHandlers(deps),
  ...leverHandlers(deps),
})
