/**
 * Says in one line why the command that follows could not work here. Plain JavaScript: it runs on whatever Node there is.
 */
import { existsSync, readFileSync } from 'node:fs'

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
  if (!existsSync(new URL('node_modules/vite', root))) {
    return 'the packages that build are not installed, as with NODE_ENV=production: run "npm ci --include=dev"'
  }
  if (!process.features.typescript) {
    const name = `${process.platform} ${process.arch}`
    return `npm has not installed its own Node for ${name}: run "npm ci" without --omit=optional, or take Node 24 or newer`
  }
  return undefined
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
