import type { Asset } from './amounts.ts'
import { type ChainSource, readChain } from './sources/chain-facts.ts'
import { attestationsDue, checkLatest, checkTree, latestForm, readAttestations } from './checks/attestations.ts'
import { checkContracts } from './checks/contract.ts'
import { checkCustody, checkHistory, checkHomeSolvency, readHeld } from './checks/custody.ts'
import { checkFund, checkFundRate } from './checks/fund.ts'
import { checkDepositsOnce, checkIncomeDay, checkYesterday } from './checks/income.ts'
import { checkIncomes, checkLoan, checkProof, checkStatement, incomeForm, loanForm } from './checks/own-files.ts'
import { checkSmallPayments, smallPaymentsForm } from './checks/small-payments.ts'
import { checkPlatformLeaf } from './checks/platform-leaf.ts'
import { checkArrivals, checkPayments } from './checks/payments.ts'
import { checkPrice, readPairs } from './checks/prices.ts'
import { type Day, dayForm, type Home, homeForm, type IncomeDay, incomeDayForm, solvencyForm } from './published.ts'
import { proofForm } from './proof-form.ts'
import type { Report } from './report.ts'
import type { Rpc } from './sources/rpc.ts'
import type { Folder } from './sources/saved.ts'
import { readAs, type Service } from './sources/service.ts'
import { Unreachable } from './sources/unreachable.ts'

/** A member's own files by name, as texts: `statement*.csv`, and JSON of incomes, small payments, loans and proofs. */
export type OwnFiles = readonly { name: string; text: string }[]

export type Options = {
  rpc: Rpc
  service: Service
  folder: Folder
  /** The contract that is checked, lower case, and its chain: known from elsewhere, not from the service. */
  gateway: string
  chainId: number
  /** The first block that is read. */
  fromBlock: number
  /** The first day that is checked; null for all. */
  since: string | null
  own: OwnFiles
}

/** Checks everything that is published, in order; what does not agree is reported, and the rest is checked all the same. */
export async function verify(report: Report, options: Options): Promise<void> {
  const { rpc, service, folder, chainId, fromBlock, since, own } = options
  const home = await readAs(service, homeForm, 'home/public')
  if (home === null) throw new Error('the service does not answer home/public')
  const contracts = await checkContracts(report, rpc, home, options)
  const source: ChainSource = { rpc, folder, progress: report.progress }
  // Asked before the chain is read, so that their blocks are among those that are.
  const solvency = await readAs(service, solvencyForm, 'solvency/now')
  const latest = (await readAs(service, latestForm, 'solvency/latest'))?.attestation ?? null
  const chain = await readChain(source, contracts, { from: fromBlock, depth: home.confirmations.large, since })
  const range = { from: fromBlock, to: chain.head.number, final: chain.head.number - home.confirmations.large }
  const guarded = guard(report)
  const incomeOf = (day: string) => readAs(service, incomeDayForm, 'power/day', { day })

  await guarded('custody', async () => {
    if (solvency !== null) {
      await checkCustody(report, { rpc, chain, contracts }, solvency)
      checkHistory(report, solvency)
    }
    checkHomeSolvency(report, home)
  })
  checkArrivals(report, chain)
  const days: Day[] = []
  const incomeDays: IncomeDay[] = []
  for (const span of chain.days) {
    report.progress(`figures of ${span.day}`)
    await guarded(`figures of ${span.day}`, async () => {
      const day = await readAs(service, dayForm, 'solvency/day', { day: span.day })
      if (day === null) return report.skipped('payments', span.day, 'the service has not published the day yet')
      days.push(day)
      checkPayments(report, chain, span, day)
    })
    await guarded(`income of ${span.day}`, async () => {
      const income = await readAs(service, incomeDayForm, 'power/day', { day: span.day })
      if (income === null || !income.closed) return
      checkIncomeDay(report, chain, income, incomeDays.at(-1) ?? (since === null ? null : withoutPast(income)))
      incomeDays.push(income)
    })
  }
  checkDepositsOnce(report, chain, incomeDays)
  await checkHome(report, service, home, incomeDays)
  const changes = days.flatMap(({ fund }) => fund)
  checkFund(report, changes)
  if (since === null) checkFundRate(report, home, changes)
  report.skipped('fund', 'the close of today', 'it is published when the day is over on which it was made')
  report.skipped('fund', 'what each close has added', 'interest of single loans is not published')
  await guarded('prices', () => checkPrices(report, source, contracts, days, range))
  await guarded('attestations', async () => {
    const attestations = await readAttestations(source, contracts.gateway, range)
    const due = attestationsDue(attestations, latest, range.final)
    await checkLatest(report, latest, due, (asset: Asset, block) => readHeld(rpc, contracts, asset, block))
    let isDue = false
    for (const attested of due.filter(({ day }) => since === null || day >= since)) {
      const leaves = await checkTree(report, service, attested)
      if (leaves === null) continue
      const found = await checkPlatformLeaf(report, service, {
        attested,
        leaves,
        chainId,
        gateway: contracts.gateway,
        isDue,
      })
      isDue ||= found
    }
    for (const file of own) {
      await guarded(file.name, async () => {
        if (file.name.endsWith('.csv')) return checkStatement(report, file.text)
        const json: unknown = JSON.parse(file.text)
        const [incomes, loan, proof] = [incomeForm.safeParse(json), loanForm.safeParse(json), proofForm.safeParse(json)]
        const small = smallPaymentsForm.safeParse(json)
        if (proof.success) checkProof(report, proof.data, { chainId, gateway: contracts.gateway }, attestations)
        else if (small.success) checkSmallPayments(report, small.data, chain)
        else if (loan.success) checkLoan(report, loan.data)
        else if (incomes.success) await checkIncomes(report, incomes.data, incomeOf)
        else
          report.differs(
            'own files',
            file.name,
            'it is neither a statement, nor incomes, small payments, a loan or a proof',
          )
      })
    }
  })
}

/** A run that begins in the middle knows nothing of the day before its first. */
const withoutPast = (day: IncomeDay): IncomeDay => ({ ...day, carriedOut: day.carriedIn })

async function checkHome(report: Report, service: Service, home: Home, days: readonly IncomeDay[]): Promise<void> {
  const published = await readAs(service, incomeDayForm, 'power/day')
  const last = days.at(-1)
  report.equal('income', 'last closed day', published?.day ?? 'none', last?.day ?? 'none')
  if (published !== null && last !== undefined)
    report.equal('income', 'figures of the last closed day', JSON.stringify(published), JSON.stringify(last))
  report.skipped('home', 'units and accounts', 'no day has published those of now')
  checkYesterday(report, home, days)
}

async function checkPrices(
  report: Report,
  source: ChainSource,
  contracts: Home['contracts'],
  days: readonly Day[],
  range: { from: number; to: number; final: number },
): Promise<void> {
  const used = days.flatMap(({ day, prices }) => prices.map((price) => ({ day, price })))
  if (used.length === 0) return report.skipped('prices', 'all', 'nothing was exchanged')
  const pairs = await readPairs(source, contracts, range)
  for (const { day, price } of used) checkPrice(report, day, price, price.asset === 'HASH' ? pairs.HASH : pairs.JU)
}

/** An answer of another form than expected is a difference of its own; neither that nor a source that cannot be read keeps the rest from being checked. */
const guard =
  (report: Report) =>
  async (what: string, check: () => Promise<void>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      const tell = error instanceof Unreachable ? report.failed : report.differs
      tell('reading', what, error instanceof Error ? error.message : String(error))
    }
  }
