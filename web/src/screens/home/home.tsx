import { lazyScreen } from '../../navigation/lazy-screen.ts'
import { loanTexts } from '../../lending/texts.ts'
import { paymentTexts } from '../../payment/texts.ts'
import { useApp } from '../../session/app-context.tsx'
import { useStore } from '../../lib/store.ts'
import { userTexts } from './user-texts.ts'
import { Visitor } from './visitor.tsx'

const User = lazyScreen({ code: () => import('./user.tsx'), texts: [loanTexts, paymentTexts, userTexts] })

/** Home is two screens: one without a session and one with it. */
export function Home() {
  const { token } = useStore(useApp().session)
  return token === '' ? <Visitor /> : <User />
}
