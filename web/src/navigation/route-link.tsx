import type { ReactNode } from 'react'
import { useRouter } from './router-context.ts'
import type { Path } from './routes.ts'

type Props = { to: Path; current?: boolean; className?: string; label?: string; children: ReactNode }

/** A real link, so that it can be copied and opened elsewhere; a plain tap stays inside the app. */
export function RouteLink({ to, current = false, className, label, children }: Props) {
  const router = useRouter()
  return (
    <a
      href={`#${to}`}
      className={className}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        router.go(to)
      }}
    >
      {children}
    </a>
  )
}
