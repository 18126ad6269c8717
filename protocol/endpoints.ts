import type { z } from 'zod'
import { authEndpoints } from './endpoints/auth.ts'
import { commandEndpoints } from './endpoints/command.ts'
import { depositEndpoints } from './endpoints/deposit.ts'
import { exchangeEndpoints } from './endpoints/exchange.ts'
import { financeEndpoints } from './endpoints/finance.ts'
import { homeEndpoints } from './endpoints/home.ts'
import { incomeEndpoints } from './endpoints/income.ts'
import { lendingEndpoints } from './endpoints/lending.ts'
import { leverEndpoints } from './endpoints/lever.ts'
import { noticeEndpoints } from './endpoints/notice.ts'
import { powerEndpoints } from './endpoints/power.ts'
import { projectEndpoints } from './endpoints/project.ts'
import { proofEndpoints } from './endpoints/proof.ts'
import { rankingEndpoints } from './endpoints/ranking.ts'
import { solvencyEndpoints } from './endpoints/solvency.ts'
import { fileEndpoints, statementEndpoints } from './endpoints/statement.ts'
import { transferEndpoints } from './endpoints/transfer.ts'
import { userEndpoints } from './endpoints/user.ts'
import { withdrawEndpoints } from './endpoints/withdraw.ts'

/** The one endpoint table, from which routes, client types and the API document are made. Rows are in their area's file. */
export const endpoints = {
  ...authEndpoints,
  ...homeEndpoints,
  ...userEndpoints,
  ...rankingEndpoints,
  ...powerEndpoints,
  ...incomeEndpoints,
  ...depositEndpoints,
  ...withdrawEndpoints,
  ...transferEndpoints,
  ...exchangeEndpoints,
  ...commandEndpoints,
  ...noticeEndpoints,
  ...statementEndpoints,
  ...fileEndpoints,
  ...projectEndpoints,
  ...lendingEndpoints,
  ...leverEndpoints,
  ...financeEndpoints,
  ...solvencyEndpoints,
  ...proofEndpoints,
}

export type Endpoints = typeof endpoints
export type Key = keyof Endpoints

/** Input as a caller sends it: texts, before parsing. */
export type CallInput<K extends Key> = z.input<Endpoints[K]['input']>
/** Input as a handler takes it: after parsing. */
export type HandlerInput<K extends Key> = z.output<Endpoints[K]['input']>
/** Data that a handler returns and a caller receives. */
export type Data<K extends Key> = z.output<Endpoints[K]['data']>
