import { lazyScreen } from '../../navigation/lazy-screen.ts'
import { useApp } from '../../session/app-context.tsx'
import { useStore } from '../../lib/store.ts'
import { Visitor } from './visitor.tsx'

const User = lazyScreen({
  code: () => import('./user.tsx'),
  texts: ['loans', 'payment', 'home-user'],
})

/** Home is two screens: one without a session and one with it. */
export function Home() {
  const { token } = useStore(useApp().session)
  return token === '' ? <Visitor /> : <User />
}
