import { Activity, Component, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useStore } from '../lib/store.ts'
import { FailedView, OfflineView } from '../ui/state/state-view.tsx'
import { FailureGroup } from '../ui/state/said-once.tsx'
import { Skeleton } from '../ui/state/skeleton.tsx'
import { useOnline } from '../lib/use-online.ts'
import type { Screens } from '../navigation/lazy-screen.ts'
import { useRouter } from '../navigation/router-context.ts'
import type { Path } from '../navigation/routes.ts'
import { keptScreens, maxKept } from '../navigation/kept-screens.ts'

const MAX_KEPT = maxKept((navigator as { deviceMemory?: number }).deviceMemory)

/** Screens stay as they were left: hidden by `<Activity>`, with their state but without their effects. */
export function Outlet({ screens }: { screens: Screens }) {
  const { path } = useStore(useRouter().place)
  const [kept, setKept] = useState<readonly Path[]>([path])
  const next = keptScreens(kept, path, MAX_KEPT)
  if (next !== kept) setKept(next)
  // In the order of the route table, so that React moves no screen about when another comes to the head.
  return [...next].toSorted().map((each) => {
    const Screen = screens[each]
    return (
      <Activity key={each} mode={each === path ? 'visible' : 'hidden'}>
        <ScreenBoundary>
          <Suspense fallback={<ScreenSkeleton />}>
            <FailureGroup>
              <Screen path={each} />
            </FailureGroup>
          </Suspense>
        </ScreenBoundary>
      </Activity>
    )
  })
}

const ScreenSkeleton = () => (
  <div className="screen" aria-busy="true">
    <Skeleton width="45%" height={28} />
    <Skeleton width="100%" height={120} />
    <Skeleton width="100%" height={120} />
  </div>
)

/** A screen that breaks, or whose code could not be fetched, must not take the shell with it. */
class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <div className="screen">
        <Broken error={this.state.error} />
      </div>
    )
  }
}

/** Code that could not be fetched stays missing for this page, so only a reload helps; without a connection it must wait. */
function Broken({ error }: { error: unknown }) {
  const online = useOnline()
  const [wasOffline] = useState(!online)
  useEffect(() => {
    if (online && wasOffline) window.location.reload()
  }, [online, wasOffline])
  return online ? <FailedView error={error} retry={() => window.location.reload()} /> : <OfflineView />
}
