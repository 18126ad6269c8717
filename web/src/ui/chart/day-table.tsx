import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Fold } from '../control/fold.tsx'
import '../list/figure-table.css'

type Props = {
  /** Heads of the columns, the day first. */
  heads: readonly string[]
  /** Newest first; a cell for each head. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** The figures of a picture as a table, behind a line of its own. */
export function DayTable({ heads, rows }: Props) {
  const { t } = useTranslation()
  return (
    <Fold title={t('chart.table')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */}
      <section className="figure-table" aria-label={t('chart.table')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [first, ...rest] }) => (
              <tr key={key}>
                <th scope="row">{first}</th>
                {rest.map((cell, nth) => (
                  <td key={heads[nth + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Fold>
  )
}
