import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that the checks of this folder run, with the Debian package of each. */
const packages = {
  haproxy: 'haproxy',
  nginx: 'nginx',
  'systemd-analyze': 'systemd',
  promtool: 'prometheus',
  openssl: 'openssl',
} as const

export type Program = keyof typeof packages

/** Debian keeps some of them where only root looks. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin']

/** Where the program is; undefined when it is not installed. */
export const findProgram = (name: Program): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

/** What is missing, as a message that names the packages; undefined when all is there. CI installs them. */
export function missingPackages(...programs: Program[]): string | undefined {
  const missing = programs.filter((name) => findProgram(name) === undefined).map((name) => packages[name])
  if (missing.length === 0) return undefined
  return `needs the Debian packages ${missing.join(', ')}`
}
