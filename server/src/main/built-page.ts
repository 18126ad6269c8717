import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config.ts'

/** The built page; empty where none is served. */
export function readPage(webDist: string | undefined): string {
  if (webDist === undefined) return ''
  const file = path.join(webDist, 'index.html')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new ConfigError(`WEB_DIST must be a folder with the built web app: there is no index.html in ${webDist}`)
}
