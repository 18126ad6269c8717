import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { formatAge, formatAmount, formatPercent } from '../../lib/format.ts'
import { useSecondsSince } from '../../lib/use-now.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { solvencyState } from '../../proof/solvency-state.ts'
import { Figure } from '../../ui/amount/figure.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'

type Inputs = NonNullable<Explanation['inputs']>
type Props = { data: Data<'GET home/public'> | undefined; answeredAt: number; inputs: Inputs }

/** The least that is held of what is owed of an asset; red when it is less than all of it, or too old to tell. */
export function SolvencyFigure({ data, answeredAt, inputs }: Props) {
  const { t, language } = useTranslation()
  const sinceAnswer = useSecondsSince(answeredAt)
  const given = data?.solvency
  if (data === undefined || !given)
    return (
      <Figure
        label={t('figure.solvency')}
        value={data && null}
        absent={t('figure.afterReconcile')}
        // A line for the note that may come, so that nothing below moves when it does.
        note={'\u00a0'}
        from={{ title: t('figure.solvency'), text: t('figure.solvencyFrom'), inputs }}
      />
    )
  const solvency = { ...given, ageSeconds: given.ageSeconds + sinceAnswer }
  const state = solvencyState(solvency)
  const age = formatAge(solvency.ageSeconds, languageTag[language])
  const value = solvency.lowest === null ? t('figure.nothingOwed') : formatPercent(solvency.lowest.ratio)
  const assets = solvency.assets.map(({ asset, held, owed }) => ({
    label: t('figure.heldOfOwed', { asset }),
    value: `${formatAmount(held, 2)} / ${formatAmount(owed, 2)}`,
  }))
  return (
    <div className="visit-solvency" data-state={state}>
      <Figure
        label={t('figure.solvency')}
        value={value}
        note={
          state === 'old'
            ? t('figure.tooOld', { age })
            : solvency.lowest === null
              ? age
              : `${solvency.lowest.asset} · ${age}`
        }
        from={{
          title: t('figure.solvency'),
          value,
          text: t(
            state === 'covered'
              ? 'figure.solvencyFrom'
              : state === 'old'
                ? 'figure.solvencyOld'
                : 'figure.solvencyShort',
          ),
          inputs: [...assets, { label: t('figure.compared'), value: age }, ...inputs],
        }}
      />
    </div>
  )
}
