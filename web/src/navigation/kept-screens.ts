import { type Path, type RouteMeta, routes } from './routes.ts'

/** Gibibytes, as browsers round them, below which hidden screens could make the device end the page. */
const SMALL_DEVICE_GIB = 2
/** As many screens as one task leads through. */
const KEPT_ON_SMALL_DEVICES = 8

/** How many screens may be kept. A screen is a few hundred elements, so most devices keep every one. */
export const maxKept = (deviceMemory_GiB: number | undefined): number =>
  deviceMemory_GiB !== undefined && deviceMemory_GiB <= SMALL_DEVICE_GIB
    ? KEPT_ON_SMALL_DEVICES
    : Object.keys(routes).length

/** The screens to keep, the one in view at the head, then the last ones before it whose route says so. */
export function keptScreens(
  before: readonly Path[],
  now: Path,
  max: number,
  table: Readonly<Record<Path, Pick<RouteMeta, 'keepAlive'>>> = routes,
): readonly Path[] {
  if (before[0] === now) return before
  return [now, ...before.filter((path) => path !== now && table[path].keepAlive)].slice(0, max)
}
