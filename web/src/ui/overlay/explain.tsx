import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ExplainPopover } from './explain-popover.tsx'
import { explanation } from './explain-store.ts'
import { Row } from '../list/row.tsx'
import { Sheet } from './sheet.tsx'
import { useStore } from '../../lib/store.ts'

const close = () => explanation.set(null)

/**
 * The explanation of every figure that can be tapped: a sheet, or on wide screens a popover where it is short. Lives once, at the root.
 */
export default function ExplainHost() {
  const { t } = useTranslation()
  const current = useStore(explanation)
  const [last, setLast] = useState(current)
  // The texts stay while the closing sheet moves out.
  if (current !== null && current !== last) setLast(current)
  const shown = current ?? last
  const anchor = current?.anchor ?? null
  if (current !== null && anchor !== null)
    return <ExplainPopover key={current.text} explanation={current} anchor={anchor} onClose={close} />
  return (
    <Sheet open={current !== null} title={shown?.title ?? t('ui.whereFrom')} onClose={close}>
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
