import type { ModelReceipt } from '../../model/chain-model.ts'
import type { Simulation } from '../../run/simulation.ts'

/** The faults that were found after the service was killed for good, and how often something happened. */
export class ExitChecks {
  readonly findings: string[] = []
  private readonly figures: Record<string, number>

  constructor({ exit }: Simulation) {
    this.figures = exit
  }

  add(findings: readonly string[]): void {
    this.findings.push(...findings)
  }

  count(name: string, by = 1): void {
    this.figures[name] = (this.figures[name] ?? 0) + by
  }

  done({ ok, refusal, transaction: { call } }: ModelReceipt): void {
    if (!ok) this.findings.push(`${call.do} was refused: ${refusal}`)
  }

  /** @param wanted the name of the contract's error; any when it is left out */
  refused({ ok, refusal, transaction: { call } }: ModelReceipt, wanted?: string): void {
    if (ok) this.findings.push(`${call.do} was not refused`)
    else if (wanted !== undefined && refusal !== wanted) {
      this.findings.push(`${call.do} was refused as ${refusal} instead of ${wanted}`)
    }
  }
}
