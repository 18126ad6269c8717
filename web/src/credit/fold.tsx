import type { ReactNode } from 'react'
import { Icon } from '../ui/picture/icon.tsx'
import './fold.css'

/** Details that few ask for, behind a line of their own. */
export const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="fold">
    <summary>
      {title}
      <Icon name="forward" size={16} />
    </summary>
    {children}
  </details>
)
