import type { NetworkConfig } from '@candela/protocol/chain/network'
import { createContext, type ReactNode, use } from 'react'
import type { DeviceStorage } from '../lib/storage.ts'
import { RouterContext } from '../navigation/router-context.ts'
import type { Router } from '../navigation/router.ts'
import type { InvitationCode } from './invitation-code.ts'
import type { SessionStore } from './session.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import type { SignedOutReasonStore } from './signed-out-reason.ts'

/** The parts that exist once per page and know the session or the router. Made in `main`. */
export type App = {
  storage: DeviceStorage
  router: Router
  session: SessionStore
  signIn: SignIn
  signedOutReason: SignedOutReasonStore
  invitationCode: InvitationCode
  /** Opens the dialog that asks the person to put the wallet on this network. */
  showNetworkDialog(network: NetworkConfig): void
}

const AppContext = createContext<App | null>(null)

export const AppProvider = ({ app, children }: { app: App; children: ReactNode }) => (
  <AppContext value={app}>
    <RouterContext value={app.router}>{children}</RouterContext>
  </AppContext>
)

export function useApp(): App {
  const app = use(AppContext)
  if (app === null) throw new Error('Rendered outside of the app context')
  return app
}

/**
 * Something that lives as long as the app, made at its first use: state of a screen that has to outlast the screen, such as
 * a command under way.
 */
export function oncePerApp<T>(create: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, { value: T }>()
  return (app) => {
    const known = made.get(app) ?? { value: create(app) }
    made.set(app, known)
    return known.value
  }
}
