import { languages } from '@candela/protocol/language'
import { useState, type ReactNode } from 'react'
import { TransportError } from '@candela/client/errors'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { AmountInput } from '../ui/amount/amount-input.tsx'
import { AmountSlider } from '../ui/amount/amount-slider.tsx'
import { ExactAmount } from '../ui/amount/exact-amount.tsx'
import { Figure } from '../ui/amount/figure.tsx'
import { readAmount } from '../ui/amount/read-amount.ts'
import { DayChart } from '../ui/chart/day-chart.tsx'
import { DayTable } from '../ui/chart/day-table.tsx'
import { RangeChoice } from '../ui/chart/range-choice.tsx'
import { Shares } from '../ui/chart/shares.tsx'
import { Button } from '../ui/control/button.tsx'
import { ChainLink } from '../ui/control/chain-link.tsx'
import { CopyButton } from '../ui/control/copy.tsx'
import { Fold } from '../ui/control/fold.tsx'
import { Segmented } from '../ui/control/segmented.tsx'
import { Stepper } from '../ui/control/stepper.tsx'
import { PagedList } from '../ui/list/paged-list.tsx'
import { Row } from '../ui/list/row.tsx'
import ExplainHost from '../ui/overlay/explain.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { showToast, ToastHost, type ToastKind } from '../ui/overlay/toast.tsx'
import { Flag } from '../ui/picture/flag.tsx'
import { Icon, iconNames } from '../ui/picture/icon.tsx'
import { Progress } from '../ui/picture/progress.tsx'
import { Skeleton } from '../ui/state/skeleton.tsx'
import { FailedView, OfflineView, StateView } from '../ui/state/state-view.tsx'
import { Status } from '../ui/state/status.tsx'
import './pieces.css'

const WHOLE = 10n ** 18n
const HASH = `0x${'ab12'.repeat(16)}`
const looks = ['boxes', 'chips', 'pills', 'tabs'] as const
const days = Array.from({ length: 30 }, (_, nth) => ({
  day: new Date(Date.UTC(2026, 9, nth + 1)).toISOString().slice(0, 10),
  value: BigInt((nth * nth) % 17) * WHOLE,
  text: `${(nth * nth) % 17} HASH`,
  marked: nth === 12,
}))
const noop = () => undefined

/** Every piece in both themes, one beside the other. */
export function Pieces() {
  return (
    <main className="pieces">
      {(['dark', 'light'] as const).map((theme) => (
        <div key={theme} className="pieces-theme" data-theme={theme}>
          <h1>{theme}</h1>
          <Controls />
          <Figures />
          <Charts />
          <Lists />
          <States />
          <Overlays />
        </div>
      ))}
      <ExplainHost />
      <ToastHost />
    </main>
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className="pieces-group">
    <h2>{name}</h2>
    {children}
  </section>
)

function Controls() {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<'JU' | 'USDT' | 'HASH'>('JU')
  const [units, setUnits] = useState(10)
  const [typed, setTyped] = useState('1.5')
  const read = readAmount(typed)
  return (
    <>
      <Group name="Button">
        {(['primary', 'quiet', 'text', 'danger'] as const).map((look) => (
          <Button key={look} look={look}>
            {t('home.buy')}
          </Button>
        ))}
        <Button look="primary" busy>
          {t('home.buy')}
        </Button>
        <Button look="primary" dimmed>
          {t('home.buy')}
        </Button>
        <Button disabled>{t('home.buy')}</Button>
      </Group>
      <Group name="Segmented">
        {looks.map((look) => (
          <Segmented
            key={look}
            look={look}
            label={t('language.title')}
            options={['JU', 'USDT', 'HASH']}
            value={chosen}
            onChange={setChosen}
          />
        ))}
      </Group>
      <Group name="Stepper">
        <Stepper label={t('home.buy')} hint="1 – 100" unit="T" value={units} min={1} max={100} onChange={setUnits} />
      </Group>
      <Group name="AmountInput, AmountSlider">
        <AmountInput label={t('route.transfer')} value={typed} onChange={setTyped} unit="JU" available={20n * WHOLE} />
        <div className="wide">
          <AmountSlider
            label={t('route.transfer')}
            max={20n * WHOLE}
            value={'amount' in read ? read.amount : null}
            unit="JU"
            onChange={setTyped}
          />
        </div>
        <AmountInput label={t('route.transfer')} value="1,5" onChange={noop} unit="JU" problem={t('http.request')} />
      </Group>
      <Group name="ChainLink, CopyButton, Fold">
        <ChainLink kind="transaction" value={HASH} what={t('route.statement')} network={undefined} />
        <CopyButton text={HASH} what={t('route.statement')} />
        <div className="wide">
          <Fold title={t('ui.more')}>{t('state.failedText')}</Fold>
        </div>
      </Group>
    </>
  )
}

function Figures() {
  const { t } = useTranslation()
  const from = { title: t('route.mine'), text: t('state.failedText') }
  return (
    <Group name="Figure, Amount">
      {(['hero', 'large', 'normal'] as const).map((size) => (
        <Figure
          key={size}
          size={size}
          label={t('route.mine')}
          value={<Amount value="1234.56789" unit="USDT" digits={2} />}
          note={t('route.home')}
          from={from}
        />
      ))}
      <Figure label={t('route.mine')} value={undefined} />
      <Figure label={t('route.mine')} value={null} absent={t('state.offline')} />
      <ExactAmount value="0.000000000000000001" unit="HASH" />
    </Group>
  )
}

function Charts() {
  const { t } = useTranslation()
  const [picked, setPicked] = useState<string | null>(null)
  const [range, setRange] = useState<'7' | '30' | '90' | '365'>('30')
  return (
    <Group name="DayChart, DayTable, RangeChoice, Shares">
      {(['line', 'bars'] as const).map((look) => (
        <div key={look} className="wide">
          <DayChart look={look} values={days} picked={picked} pick={setPicked} />
        </div>
      ))}
      <RangeChoice ranges={['7', '30', '90', '365']} value={range} onChange={setRange} />
      <div className="wide">
        <DayTable
          heads={[t('chart.pickDay'), 'HASH']}
          rows={days.map(({ day, text }) => ({ key: day, cells: [day, text] }))}
        />
      </div>
      <Shares
        label={t('route.mine')}
        parts={[
          { label: 'JU', value: 5n },
          { label: 'USDT', value: 3n },
          { label: 'HASH', value: 1n },
        ]}
      />
    </Group>
  )
}

const list = (items: readonly string[] | undefined, error: unknown = null) => ({
  data: items && { pages: [{ items }] },
  error,
  fetchStatus: 'idle' as const,
  refetch: () => Promise.resolve(),
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => Promise.resolve(),
})

const row = (item: string) => <p className="entry-row">{item}</p>

function Lists() {
  const { t } = useTranslation()
  const empty = <StateView icon="statement" title={t('route.statement')} text={t('state.failedText')} />
  return (
    <>
      <Group name="Row">
        <dl className="rows">
          <Row label={t('route.deposit')} value="1 JU" />
          <Row label={t('route.withdrawal')} value="2 JU" note={t('route.home')} from={{ title: 'JU', text: 'JU' }} />
        </dl>
      </Group>
      <Group name="PagedList">
        {[list(['1 JU', '2 JU', '3 JU']), list(undefined), list([])].map((query, nth) => (
          <div key={['filled', 'loading', 'empty'][nth]} className="wide">
            <PagedList query={query} keyOf={(item) => item} itemHeight={64} empty={empty}>
              {row}
            </PagedList>
          </div>
        ))}
      </Group>
    </>
  )
}

function States() {
  const { t } = useTranslation()
  return (
    <Group name="StateView, Status, Skeleton, Progress, Icon, Flag">
      <FailedView error={new TransportError('timeout', '')} retry={noop} />
      <OfflineView />
      {(['calm', 'waiting', 'good', 'bad'] as const).map((tone) => (
        <Status key={tone} tone={tone}>
          {t('route.order')}
        </Status>
      ))}
      <Skeleton width={180} height={24} />
      <div className="wide">
        <Progress value={3} max={8} label={t('route.order')} />
      </div>
      <div className="pieces-icons">
        {iconNames.map((name) => (
          <Icon key={name} name={name} />
        ))}
        {languages.map((language) => (
          <Flag key={language} language={language} />
        ))}
      </div>
    </Group>
  )
}

const toasts = ['plain', 'loading', 'done', 'error'] as const satisfies readonly ToastKind[]

function Overlays() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'sheet' | 'dialog' | null>(null)
  return (
    <Group name="Sheet, Toast">
      {(['sheet', 'dialog'] as const).map((kind) => (
        <Button key={kind} onClick={() => setOpen(kind)}>
          {kind}
        </Button>
      ))}
      {toasts.map((kind) => (
        <Button key={kind} onClick={() => showToast(kind, t('state.offlineText'))}>
          {kind}
        </Button>
      ))}
      {(['sheet', 'dialog'] as const).map((kind) => (
        <Sheet key={kind} kind={kind} open={open === kind} title={t('route.mine')} onClose={() => setOpen(null)}>
          <p>{t('state.failedText')}</p>
        </Sheet>
      ))}
    </Group>
  )
}
