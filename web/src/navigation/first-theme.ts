import { HOME, type RouteMeta, routes } from './routes.ts'

/** The colour of the browser's own bars, which is that of the page. */
export const themeColors: Record<RouteMeta['theme'], string> = { dark: '#0c0b0a', light: '#ffffff' }

/**
 * A script for the page's head that sets the theme before anything is painted, as router and guard will decide it: it reads the
 * same hash and the same key of the storage. The build writes it into the page; the server permits it by its hash.
 */
export function firstThemeScript(): string {
  const themeOfHome = routes[HOME].theme
  const others = Object.entries(routes).filter(([, { theme }]) => theme !== themeOfHome)
  const paths = Object.fromEntries(others.map(([path, { theme }]) => [path, theme]))
  return [
    `(function(){`,
    `var themes=${JSON.stringify(paths)},colors=${JSON.stringify(themeColors)},`,
    `path="/"+location.hash.replace(/^#/,"").split("?")[0].replace(/^\\/+|\\/+$/g,""),known=true;`,
    `try{known=(localStorage.getItem("token")||"")!==""}catch(error){}`,
    `var theme=known&&Object.prototype.hasOwnProperty.call(themes,path)?themes[path]:${JSON.stringify(themeOfHome)};`,
    `document.documentElement.dataset.theme=theme;`,
    `document.querySelector('meta[name="theme-color"]').setAttribute("content",colors[theme])`,
    `})()`,
  ].join('')
}
