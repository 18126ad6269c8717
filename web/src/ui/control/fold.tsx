import { useState, type ReactNode } from 'react'
import { Icon } from '../picture/icon.tsx'
import './fold.css'

/** Details that few ask for, behind a line of their own, and in the page only while they are open. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title}
        <Icon name="forward" size={16} />
      </summary>
      {open && children}
    </details>
  )
}
