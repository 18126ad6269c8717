/**
 * Says in one line why the command that follows could not work here. Plain JavaScript: it runs on whatever Node there is.
 * npm runs it after an installation as well.
 */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const problem = findProblem()
if (problem !== undefined) {
  process.stderr.write(`candela: ${problem}\n`)
  process.exitCode = 1
}

function findProblem() {
  if (process.platform === 'win32') return 'Windows itself is not supported: use WSL, and "npm ci" in there'
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  // What npm runs on decides which packages it installs; commands run on the Node that is one of them.
  const version = /node\/v(\d+\.\d+\.\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? process.versions.node
  if (!isAllowed(version, engines.node)) {
    return `Node ${version} does not work here: take Node 24 or newer (${engines.node}), and run "npm ci" again`
  }
  if (!existsSync(new URL('node_modules/.package-lock.json', root))) return 'run "npm ci" first'
  // An installation for production has them no more, and is not where these commands are given.
  const isInstalling = process.env.npm_lifecycle_event === 'postinstall'
  if (!isInstalling && !existsSync(new URL('node_modules/vite', root))) {
    return 'the packages that build are not installed, as with NODE_ENV=production: run "npm ci --include=dev"'
  }
  if (process.env.DATA_DIR === undefined && !canWrite(root)) {
    return 'this folder cannot be written to: set DATA_DIR to one that can'
  }
  return useOwnNode()
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Commands of npm find `node` in `node_modules/.bin` first, which is the one that the lockfile has for this machine. npm 10 removes that
 * link again together with the packages for other machines, whose command has the same name.
 */
function useOwnNode() {
  const { platform, arch } = process
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`
  if (existsSync(new URL(`node_modules/${name}/bin/node`, root))) {
    const link = new URL('node_modules/.bin/node', root)
    if (existsSync(link)) return undefined
    mkdirSync(new URL('.', link), { recursive: true })
    rmSync(link, { force: true })
    symlinkSync(`../${name}/bin/node`, link)
    return undefined
  }
  // The system's own does as well, when it reads the sources as they are.
  if (process.features.typescript && Number(process.versions.node.split('.')[0]) >= 24) return undefined
  return `npm has installed no ${name}: run "npm ci" on this machine, without --omit=optional, or take Node 24 or newer`
}

/** @param range of forms like `^20.19.0 || >=22.12.0` */
function isAllowed(version, range) {
  const [major, minor, patch] = version.split('.').map(Number)
  return range.split(' || ').some((part) => {
    const [first, second, third] = part.replace(/^\D+/, '').split('.').map(Number)
    if (major !== first) return major > first && part.startsWith('>=')
    return minor > second || (minor === second && patch >= third)
  })
}
