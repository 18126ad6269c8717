import { lazy } from 'react'
import { loadFile } from '../lib/load-file.ts'
import { loadScreen, loadWhenIdle, type Screens } from '../navigation/lazy-screen.ts'
import { HOME, type Path, routes } from '../navigation/routes.ts'
import { Home } from './home/home.tsx'

const loadOthers = () => loadFile(() => import('./other-screens.ts'))

/** Loads the screens' code and texts before they are visited, so that the app stays usable when the connection is lost. */
export const loadScreens = async (): Promise<void> => loadWhenIdle(Object.values((await loadOthers()).otherScreens))

const screenAt = (path: Path): Screens[Path] =>
  path === HOME ? Home : lazy(async () => await loadScreen((await loadOthers()).otherScreens[path]))

const paths = Object.keys(routes) as Path[]

/** Home comes with the first load; every other screen with its first visit, or when there is time after a sign-in. */
export const screens = Object.fromEntries(paths.map((path) => [path, screenAt(path)])) as Screens
