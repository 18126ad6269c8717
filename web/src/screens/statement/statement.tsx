import { assetCodes, isAssetCode } from '@candela/protocol/money/assets'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { makeFileLink } from '../../api/file-link.ts'
import { serverNow } from '../../api/server-time.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { downloadFile, type Kept, OtherWaysToKeep } from '../../ui/keep/keep-file.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { collectCsv, countLines } from './download-csv.ts'
import { type Filter, filterInput, groupNames, periods } from './filter.ts'
import { Line } from './line.tsx'
import './statement.css'

const everything: Filter = { group: 'all', asset: null, period: null }
type Chosen = { filter: Filter; input: ReturnType<typeof filterInput> }

/** Everything that moved on the account, in one timeline. */
export default function Statement({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [{ filter, input }, setChosen] = useState<Chosen>({ filter: everything, input: {} })
  // The period begins when it is chosen, so that its pages belong together.
  const setFilter = (next: Filter) => setChosen({ filter: next, input: filterInput(next) })
  const lines = useReadPages('GET statement/list', input)
  const isFiltered = filter.group !== 'all' || filter.asset !== null || filter.period !== null
  return (
    <Screen path={path}>
      <Segmented
        look="chips"
        label={t('statement.kinds')}
        options={groupNames}
        textOf={(group) => t(`statement.group.${group}`)}
        value={filter.group}
        onChange={(group) => setFilter({ ...filter, group })}
      />
      <FilterBar filter={filter} input={input} onChange={setFilter} />
      <PagedList
        query={lines}
        keyOf={({ id }) => id}
        itemHeight={68}
        empty={
          isFiltered ? (
            <StateView icon="statement" title={t('statement.emptyFilter')} />
          ) : (
            <StateView icon="statement" title={t('statement.empty')} text={t('statement.emptyText')} />
          )
        }
      >
        {(line) => <Line line={line} />}
      </PagedList>
    </Screen>
  )
}

type FilterBarProps = Chosen & { onChange: (filter: Filter) => void }

/** Chooses the asset and the time, and offers the same as a file. */
function FilterBar({ filter, input, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<(Kept & { lines: number; isOpen: boolean }) | null>(null)
  const download = async () => {
    setBusy(true)
    try {
      const texts = await collectCsv((piece) => call('GET statement/csv', piece), input)
      const name = `candela-statement-${new Date(serverNow()).toISOString().slice(0, 10)}.csv`
      const kept = { name, mime: 'text/csv;charset=utf-8', content: texts.join('') }
      downloadFile(kept)
      setMade({ ...kept, lines: countLines(texts), isOpen: true })
    } catch {
      // The call has shown why, where there was a reason; an incomplete file is not saved.
      showToast('error', t('statement.csvFailed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="statement-narrow">
      <select
        className="pick"
        aria-label={t('statement.asset')}
        value={filter.asset ?? ''}
        onChange={({ target }) => onChange({ ...filter, asset: isAssetCode(target.value) ? target.value : null })}
      >
        <option value="">{t('statement.everyAsset')}</option>
        {assetCodes.map((asset) => (
          <option key={asset}>{asset}</option>
        ))}
      </select>
      <select
        className="pick"
        aria-label={t('statement.period')}
        value={filter.period ?? ''}
        onChange={({ target }) =>
          onChange({ ...filter, period: periods.find((period) => String(period) === target.value) ?? null })
        }
      >
        {periods.map((days) => (
          <option key={days} value={days ?? ''}>
            {days === null ? t('statement.ever') : t('statement.lastDays', { days })}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="csv-button"
        aria-label={t('statement.csv')}
        aria-busy={busy}
        aria-disabled={busy || undefined}
        onClick={() => {
          if (!busy) void download()
        }}
      >
        {busy ? <span className="spinner" aria-hidden="true" /> : <Icon name="download" size={20} />}
        <span aria-hidden="true">CSV</span>
      </button>
      {made !== null && (
        <Sheet
          open={made.isOpen}
          title={t('statement.csvDone', { lines: made.lines })}
          onClose={() => setMade({ ...made, isOpen: false })}
        >
          <OtherWaysToKeep kept={made} makeLink={() => makeFileLink({ file: 'statement', ...input })} />
        </Sheet>
      )}
    </div>
  )
}
