/** Programs beside Node and npm that some parts and tests need: the Debian package of each, and where it is found. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The oldest Postgres that the cluster and the restore drill run with. */
const OLDEST_POSTGRES = 15

const packages = {
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  chromium: 'chromium',
  etcd: 'etcd-server',
  'firefox-esr': 'firefox-esr',
  git: 'git',
  haproxy: 'haproxy',
  ip: 'iproute2',
  nginx: 'nginx',
  openssl: 'openssl',
  patroni: 'patroni',
  perl: 'perl',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql',
  promtool: 'prometheus',
  'redis-cli': 'redis-tools',
  'redis-server': 'redis-server',
  'systemd-analyze': 'systemd',
  tar: 'tar',
} as const

export type DebianProgram = keyof typeof packages
export const programNames = Object.keys(packages) as DebianProgram[]

/** The folders of the PATH, and beside each the one that Debian has on root's PATH alone. */
const folders = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => [folder, folder.replace(/\/bin$/, '/sbin')])

const firstOf = (paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path))
const inFolders = (...names: readonly string[]): string | undefined =>
  firstOf(folders.flatMap((folder) => names.map((name) => join(folder, name))))

/** Programs that are not in one of the folders under the name that they have here. */
const finders: Partial<Record<DebianProgram, () => string | undefined>> = {
  chromium: findWholeChromium,
  postgres: findPostgres,
}

/** Where the program is; undefined when it is not installed. */
export const findProgram = (name: DebianProgram): string | undefined => (finders[name] ?? (() => inFolders(name)))()

/** The packages of those programs that are not installed. */
export const missingPackages = (names: readonly DebianProgram[]): string[] =>
  names.filter((name) => findProgram(name) === undefined).map((name) => packages[name])

/** The server of the newest installed Postgres. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  return versions
    .filter((version) => version >= OLDEST_POSTGRES)
    .toSorted((one, other) => other - one)
    .map((version) => join(root, String(version), 'bin', 'postgres'))
    .find((path) => existsSync(path))
}

/**
 * A whole browser: extensions and their windows are not in the headless shell that npm brings, and Chrome itself loads no
 * extension from the command line. CHROMIUM_PATH decides where it is set.
 */
function findWholeChromium(): string | undefined {
  const wanted = process.env['CHROMIUM_PATH']
  if (wanted !== undefined && wanted !== '') return wanted
  if (process.platform === 'darwin')
    return firstOf(
      ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
    )
  if (process.platform === 'win32')
    return firstOf(
      [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]),
    )
  return inFolders('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
}
