/** Artifacts for deployment: our contracts, compiled when needed, and Uniswap's as npm ships them. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { buildsFolder } from '../scripts/builds-folder.ts'
import { runForge } from './forge.ts'

/** A contract's interface and its creation code. Constructor arguments are not part of the code. */
export interface Artifact {
  abi: readonly unknown[]
  bytecode: `0x${string}`
}

/**
 * The contracts that `npm start` deploys are kept as they compile, because a first start would wait for them. A test compares it with
 * what forge builds.
 */
export const keptContracts = ['PaymentGateway', 'StablecoinToken'] as const
const contracts = [...keptContracts, 'OddToken', 'PaymentBurst', 'SmartAccount', 'SmartAccountFactory'] as const
/** A contract of this project. */
export type ContractName = (typeof contracts)[number]

const uniswapPackages = {
  UniswapV2Factory: '@uniswap/v2-core',
  UniswapV2Pair: '@uniswap/v2-core',
  UniswapV2Router02: '@uniswap/v2-periphery',
  WETH9: '@uniswap/v2-periphery',
} as const
/** A contract of Uniswap V2 that npm ships compiled. */
export type UniswapName = keyof typeof uniswapPackages

const require = createRequire(import.meta.url)
const root = import.meta.dirname
const defaultStore = join(buildsFolder, 'contracts', 'out', 'artifacts')
const keptFolder = join(root, 'compiled')
/** Has the hash of what the artifacts beside it were compiled from. */
const keptFrom = join(keptFolder, 'compiled-from')

/** A hash of everything that the bytecode depends on. */
async function sourcesKey(): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const sources = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const packages = ['solc', '@openzeppelin/contracts']
  const inputs = [
    ...sources.toSorted(),
    join(root, 'foundry.toml'),
    ...packages.map((name) => require.resolve(`${name}/package.json`)),
  ]
  for (const path of inputs) {
    const bytes = await readFile(path)
    hash.update(`${relative(root, path)} ${bytes.length}\n`).update(bytes)
  }
  // Among them the version of forge, which is a package of another name on each platform.
  const { optionalDependencies } = require('./package.json') as { optionalDependencies: object }
  return hash.update(JSON.stringify(optionalDependencies)).digest('hex').slice(0, 24)
}

/** Compiles without forge's own cache, so that several processes can compile, also while tests run. */
async function compileInto(folder: string): Promise<void> {
  const work = join(dirname(folder), `.work-${randomUUID()}`)
  try {
    const done = join(work, 'done')
    await mkdir(done, { recursive: true })
    const result = await runForge(
      ['build', 'src', '--out', join(work, 'out'), '--cache-path', join(work, 'cache')],
      // The caller's forge profile must not change what is deployed.
      { env: { FOUNDRY_PROFILE: 'default' } },
    )
    if (result.exitCode !== 0) throw new Error(`The contracts do not compile:\n${result.stdout}${result.stderr}`)
    for (const name of contracts) {
      const built = JSON.parse(await readFile(join(work, 'out', `${name}.sol`, `${name}.json`), 'utf8')) as {
        abi: readonly unknown[]
        bytecode: { object: `0x${string}` }
      }
      const artifact: Artifact = { abi: built.abi, bytecode: built.bytecode.object }
      await writeFile(join(done, `${name}.json`), JSON.stringify(artifact))
    }
    // One rename publishes everything. If another process was first, its result is the same.
    await rename(done, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function folderOf(name: ContractName, store: string): Promise<string> {
  const key = await sourcesKey()
  const isKept = store === defaultStore && keptContracts.some((kept) => kept === name)
  const isCurrent = isKept && (await readFile(keptFrom, 'utf8').catch(() => '')).trim() === key
  return isCurrent ? keptFolder : join(store, key)
}

/** Whether loading it takes no time. */
export const isCompiled = async (name: ContractName): Promise<boolean> =>
  existsSync(join(await folderOf(name, defaultStore), `${name}.json`))

/** Compiles what is kept, and writes it to `compiled/`. */
export async function keepArtifacts(): Promise<void> {
  const store = await mkdtemp(join(tmpdir(), 'candela-artifacts-'))
  try {
    await mkdir(keptFolder, { recursive: true })
    for (const name of keptContracts) {
      await writeFile(join(keptFolder, `${name}.json`), `${JSON.stringify(await loadArtifact(name, store))}\n`)
    }
    await writeFile(keptFrom, `${await sourcesKey()}\n`)
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}

const running = new Map<string, Promise<void>>()

/**
 * One of our contracts, compiled if its sources, settings or compiler changed since the last time. Any number of
 * processes may call this at once.
 * @param store the folder in which results are kept, by the hash of what they depend on
 * @throws with the compiler's messages when the sources do not compile
 */
export async function loadArtifact(name: ContractName, store = defaultStore): Promise<Artifact> {
  const folder = await folderOf(name, store)
  const path = join(folder, `${name}.json`)
  const read = () => readFile(path, 'utf8').catch(() => undefined)
  let json = await read()
  if (json === undefined) {
    const compilation = running.get(folder) ?? compileInto(folder)
    running.set(folder, compilation)
    await compilation.finally(() => running.delete(folder))
    json = await read()
  }
  if (json === undefined) throw new Error(`Compiling left no artifact of ${name}`)
  return JSON.parse(json) as Artifact
}

/** One of Uniswap V2's contracts: the published bytecode, because the router contains the hash of the pair's code. */
export async function uniswapArtifact(name: UniswapName): Promise<Artifact> {
  const path = require.resolve(`${uniswapPackages[name]}/build/${name}.json`)
  const built = JSON.parse(await readFile(path, 'utf8')) as { abi: readonly unknown[]; bytecode: string }
  return { abi: built.abi, bytecode: `0x${built.bytecode}` }
}
