/** The report of what was checked, line by line, for people and for programs. */

/**
 * `skipped`: nothing is published that it could be checked by, and why. `failed`: it could not be read this time. Neither is an agreement.
 */
export type Line = {
  check: string
  subject: string
  result: 'agrees' | 'differs' | 'skipped' | 'failed'
  details: string
}

export type Report = {
  lines: Line[]
  /** How far long work has come. */
  progress: (text: string) => void
  agrees: (check: string, subject: string, details?: string) => void
  differs: (check: string, subject: string, details: string) => void
  skipped: (check: string, subject: string, details: string) => void
  failed: (check: string, subject: string, details: string) => void
  /** Compares what was published with what was computed, and says both where they differ. */
  equal: (check: string, subject: string, published: unknown, computed: unknown) => boolean
}

/** @param tell is told of each line at once */
export function createReport(tell: (line: Line) => void, progress: (text: string) => void = () => undefined): Report {
  const lines: Line[] = []
  const add =
    (result: Line['result']) =>
    (check: string, subject: string, details = '') => {
      const line = { check, subject, result, details }
      lines.push(line)
      tell(line)
    }
  const [agrees, differs, skipped, failed] = [add('agrees'), add('differs'), add('skipped'), add('failed')]
  return {
    lines,
    progress,
    agrees,
    differs,
    skipped,
    failed,
    equal(check, subject, published, computed) {
      const same = String(published) === String(computed)
      if (same) agrees(check, subject, String(computed))
      else differs(check, subject, `published ${String(published)}, computed ${String(computed)}`)
      return same
    },
  }
}

const marks = { agrees: 'ok      ', differs: 'DIFFERS ', skipped: 'skipped ', failed: 'FAILED  ' } as const

export const lineText = ({ check, subject, result, details }: Line): string =>
  `${marks[result]} ${check} · ${subject}${details === '' ? '' : `: ${details}`}`

/** 0 when everything that can be checked agrees, 1 when anything differs, 2 when anything could not be read. */
export function exitCode(lines: readonly Line[]): 0 | 1 | 2 {
  if (lines.some(({ result }) => result === 'differs')) return 1
  return lines.some(({ result }) => result === 'failed') ? 2 : 0
}

export function summaryText(lines: readonly Line[]): string {
  const count = (result: Line['result']) => lines.filter((line) => line.result === result).length
  const first = lines.find(({ result }) => result === 'differs')
  const counts = `${count('agrees')} agree, ${count('differs')} differ, ${count('skipped')} are not checked, ${count('failed')} could not be read`
  return first === undefined ? counts : `${counts}. First difference: ${lineText(first).replace(/^\w+\s+/, '')}`
}

/** Everything that could not be checked, and why, for the end of the output. */
export const notCheckedText = (lines: readonly Line[]): string =>
  lines
    .filter(({ result }) => result === 'skipped' || result === 'failed')
    .map(({ check, subject, details }) => `not checked: ${check} · ${subject}: ${details}`)
    .join('\n')
