import type { ReactNode } from 'react'
import { useRouter } from '../navigation/router-context.ts'
import type { Path } from '../navigation/routes.ts'
import { Icon } from '../ui/picture/icon.tsx'
import './back-link.css'

/** From one item back to the list that it stands in. */
export function BackLink({ to, children }: { to: Path; children: ReactNode }) {
  const router = useRouter()
  return (
    <button type="button" className="back-link" onClick={() => router.go(to)}>
      <Icon name="back" size={18} />
      <span>{children}</span>
    </button>
  )
}
