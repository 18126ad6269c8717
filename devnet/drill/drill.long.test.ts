import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drillPrograms } from '../cluster/programs.ts'
import { needs } from '@candela/testing/process/needs'
import { runDrill } from './drill.ts'

const kinds = (written: readonly { kind: string }[]) => written.map(({ kind }) => kind)

test(
  'a restored database reads the chain again; what was on no chain after the instant is listed',
  needs(...drillPrograms),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'candela-drill-'))
    try {
      await chmod(folder, 0o755)
      const report = await runDrill({ folder, log: () => {}, signal: new AbortController().signal })
      expect(kinds(report.cameAgain)).toEqual(['deposit'])
      expect(kinds(report.lost)).toEqual(['transfer', 'withdrawal-hold', 'withdrawal'])
      expect(report.lost[0]?.memo).toContain(report.lostTransfer)
      expect([report.different, report.added, report.missingInRepository, report.findings]).toEqual([[], [], [], []])
      // The contract has paid 19 USDT for a withdrawal that the books do not know any more, so they are held to differ.
      expect(report.difference).toMatch(/^USDT: .* difference -19;/)
      expect(report.logLines.map((line) => (JSON.parse(line) as { route: string }).route)).toEqual([
        'POST transfer/index',
        'POST deposit/getOrder',
        'POST withdraw/apply',
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
