import { languageTag } from '@candela/protocol/language'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatDay } from '../../lib/format.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import type { Calc } from './plan.ts'

const cases = ['worse', 'yesterday', 'better'] as const

/** Yesterday's real output for the chosen quantity between a worse and a better case. Never a promise, and it says so. */
export function Illustration({ calc, unit, dimmed }: { calc: Calc | undefined; unit: string; dimmed: boolean }) {
  const { t, language } = useTranslation()
  if (calc === undefined) return <Skeleton width="100%" height={150} />
  const { illustration } = calc
  const title = t('buy.illustration')
  if (illustration === null)
    return (
      <section className="card">
        <h2>{title}</h2>
        <p className="muted small">{t('buy.noIllustration')}</p>
      </section>
    )
  const from = {
    title,
    text: t('buy.illustrationFrom'),
    inputs: cases.map((each) => ({
      label: t(`buy.${each}`),
      value: <Amount value={illustration[each].outputPerUnit} unit={`HASH / ${unit}`} digits={8} />,
    })),
  }
  return (
    <section className="card" data-dimmed={dimmed || undefined} aria-labelledby="illustration">
      <div className="card-head">
        <h2 id="illustration">{title}</h2>
        <span className="muted small">{t('buy.perDay')}</span>
      </div>
      <button type="button" className="cases" onClick={() => explain(from)}>
        {cases.map((each) => (
          <span key={each} className="case" data-case={each}>
            <span className="figure-label">{t(`buy.${each}`)}</span>
            <Amount value={illustration[each].output} digits={4} />
          </span>
        ))}
      </button>
      <p className="muted small">
        {t('buy.illustrationText', { day: formatDay(illustration.day, languageTag[language]) })}
      </p>
    </section>
  )
}
