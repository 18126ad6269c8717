import { createContext, use } from 'react'
import type { Router } from './router.ts'

/** The router alone, for what lies below the session; everything above takes it from the app context. */
export const RouterContext = createContext<Router | null>(null)

export function useRouter(): Router {
  const router = use(RouterContext)
  if (router === null) throw new Error('Rendered outside of the app context')
  return router
}
