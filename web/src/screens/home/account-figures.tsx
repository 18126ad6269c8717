import type { Data } from '@candela/protocol/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { Figure } from '../../ui/amount/figure.tsx'
import { formatAmount } from '../../lib/format.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'

type Info = Data<'GET user/info'>

/** Level, account balance and active power. The balance is emphasized. */
export function AccountFigures({ info }: { info: Info | undefined }) {
  const { t } = useTranslation()
  const unit = useRead('GET home/public', {}).data?.unit ?? 'T'
  const balances = info?.balances.map(({ asset, available, held }) => ({
    label: asset,
    value: (
      <>
        <Amount value={available} digits={6} />
        {toBaseUnits(held) > 0n && (
          <span className="row-note">{t('home.held', { amount: formatAmount(held, 6) })}</span>
        )}
      </>
    ),
  }))
  const total =
    info === undefined
      ? undefined
      : info.totalUsdt && <Amount value={info.totalUsdt} unit="USDT" digits={2} minDigits={2} />
  const power = info && <Amount value={String(info.activePower)} unit={unit} />
  return (
    <>
      <Level info={info} unit={unit} />
      <div className="lit">
        <Figure
          size="hero"
          label={t('home.balance')}
          value={total}
          absent={t('home.noPrice')}
          note={t('home.balanceNote')}
          from={
            balances && {
              title: t('home.balance'),
              value: total ?? undefined,
              text: t('home.balanceFrom'),
              inputs: balances,
            }
          }
        />
      </div>
      <div className="user-power">
        <Figure
          size="large"
          label={t('home.power')}
          value={power}
          from={{ title: t('home.power'), value: power, text: t('home.powerFrom') }}
        />
        <RouteLink to="/computing" className="button user-buy">
          {t('home.buy')}
        </RouteLink>
      </div>
    </>
  )
}

function Level({ info, unit }: { info: Info | undefined; unit: string }) {
  const { t } = useTranslation()
  if (info === undefined) return <Skeleton width="70%" height={22} />
  const { level, nextLevelAt, activePower, uid } = info
  const missing =
    nextLevelAt === null
      ? t('home.topLevel')
      : t('home.toNext', { units: formatAmount(String(nextLevelAt - activePower), 0), unit, level: `V${level + 1}` })
  const title = t('home.level', { level: `V${level}` })
  return (
    <button type="button" className="level" onClick={() => explain({ title, text: t('home.levelFrom') })}>
      <span className="level-badge" aria-label={title}>
        V{level}
      </span>
      <span>{missing}</span>
      <span className="level-uid">{t('home.uid', { uid })}</span>
    </button>
  )
}
