import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { explanation } from './explain-store.ts'
import { Row } from '../list/row.tsx'
import { Sheet } from './sheet.tsx'
import { useStore } from '../../lib/store.ts'

/** The sheet behind every figure that can be tapped. Lives once, at the root. */
export function ExplainHost() {
  const { t } = useTranslation()
  const current = useStore(explanation)
  const [last, setLast] = useState(current)
  // The texts stay while the closing sheet moves out.
  if (current !== null && current !== last) setLast(current)
  const shown = current ?? last
  return (
    <Sheet open={current !== null} title={shown?.title ?? t('ui.whereFrom')} onClose={() => explanation.set(null)}>
      {shown?.value !== undefined && <div className="explain-value">{shown.value}</div>}
      <p className="explain-text">{shown?.text}</p>
      {shown?.inputs !== undefined && (
        <dl className="rows">
          {shown.inputs.map(({ label, value }) => (
            <Row key={label} label={label} value={value} />
          ))}
        </dl>
      )}
    </Sheet>
  )
}
