/** Artifacts for deployment: our contracts, compiled when needed, and Uniswap's as npm ships them. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { buildsFolder } from '../scripts/builds-folder.ts'
import { runForge } from './forge.ts'

/** A contract's interface and its creation code. Constructor arguments are not part of the code. */
export interface Artifact {
  abi: readonly unknown[]
  bytecode: `0x${string}`
}

/** Compiled apart: a first start waits for what it deploys, and only tests use the others. */
const sets = [
  ['PaymentGateway', 'StablecoinToken'],
  ['OddToken', 'PaymentBurst', 'SmartAccount', 'SmartAccountFactory'],
] as const
/** A contract of this project. */
export type ContractName = (typeof sets)[number][number]

const sourceOf = (name: ContractName) => join('src', name === 'PaymentGateway' ? '.' : 'dev', `${name}.sol`)

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

/** A hash of everything that the bytecode depends on. */
async function sourcesKey(): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const sources = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const packages = ['solc', '@openzeppelin/contracts']
  const inputs = [
    ...sources.toSorted(),
    join(root, 'foundry.toml'),
    // It has the version of forge, which is a package of another name on each platform.
    join(root, 'package.json'),
    ...packages.map((name) => require.resolve(`${name}/package.json`)),
  ]
  for (const path of inputs) {
    const bytes = await readFile(path)
    hash.update(`${relative(root, path)} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 24)
}

/** Compiles without forge's own cache, so that several processes can compile, also while tests run. */
async function compileInto(folder: string, names: readonly ContractName[]): Promise<void> {
  const work = join(dirname(folder), `.work-${randomUUID()}`)
  try {
    const done = join(work, 'done')
    await mkdir(done, { recursive: true })
    const result = await runForge(
      ['build', ...names.map(sourceOf), '--out', join(work, 'out'), '--cache-path', join(work, 'cache')],
      // The caller's forge profile must not change what is deployed.
      { env: { FOUNDRY_PROFILE: 'default' } },
    )
    if (result.exitCode !== 0) throw new Error(`The contracts do not compile:\n${result.stdout}${result.stderr}`)
    for (const name of names) {
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

const running = new Map<string, Promise<void>>()

/**
 * One of our contracts, compiled if its sources, settings or compiler changed since the last time. Any number of
 * processes may call this at once.
 * @param store the folder in which results are kept, by the hash of what they depend on
 * @throws with the compiler's messages when the sources do not compile
 */
export async function loadArtifact(name: ContractName, store = defaultStore): Promise<Artifact> {
  const names = sets.find((set) => set.some((one) => one === name)) ?? [name]
  const folder = join(store, `${await sourcesKey()}-${names[0]}`)
  const path = join(folder, `${name}.json`)
  const read = () => readFile(path, 'utf8').catch(() => undefined)
  let json = await read()
  if (json === undefined) {
    const compilation = running.get(folder) ?? compileInto(folder, names)
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
