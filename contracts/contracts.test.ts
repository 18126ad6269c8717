import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { keptContracts, loadArtifact, uniswapArtifact } from './artifacts.ts'
import { abiModules } from './compile.ts'
import { runForge } from './forge.ts'
import { applyMutant, failureIn, sourceOf } from './mutants.ts'
import { mutants } from './test/mutants/mutants.ts'

const root = import.meta.dirname
const solc = join(root, 'solc.ts')
const run = promisify(execFile)

/** Environment under which a test run writes nothing into the source tree and compares gas with what is committed. */
const checked = { FORGE_SNAPSHOT_CHECK: 'true', FORGE_SNAPSHOT_EMIT: 'false' }

/** The bytecode of a contract in forge's own build, on which its tests run. */
type Built = Record<'bytecode' | 'deployedBytecode', { object: string }> & { abi: unknown }

async function builtByForge(name: string): Promise<Built> {
  await runForge(['build', 'src'], { env: { FOUNDRY_PROFILE: 'default' } })
  const built = await readFile(join(root, 'out', 'forge', `${name}.sol`, `${name}.json`), 'utf8')
  return JSON.parse(built) as Built
}

function names(matches: Iterable<RegExpExecArray>): Set<string | undefined> {
  return new Set(Array.from(matches, (match) => match[1]))
}

/** The opcodes in EVM code, without the data of PUSH. */
function operations(code: Buffer): Set<number> {
  const found = new Set<number>()
  for (let i = 0; i < code.length; i += 1) {
    const operation = code[i] ?? 0
    found.add(operation)
    const isPush = operation >= 0x60 && operation <= 0x7f
    if (isPush) i += operation - 0x5f
  }
  return found
}

/** The errors that solc.ts reports for a contract that imports this path. */
async function compileErrors(path: string): Promise<{ message: string }[]> {
  const content = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\nimport "${path}";\ncontract A {}`
  const input = { language: 'Solidity', sources: { 'A.sol': { content } } }
  const child = run(process.execPath, [
    solc,
    '--standard-json',
    '--base-path',
    root,
    `--include-path=${join(root, '..', 'node_modules')}`,
  ])
  child.child.stdin?.end(JSON.stringify(input))
  return (JSON.parse((await child).stdout) as { errors?: { message: string }[] }).errors ?? []
}

describe('forge', () => {
  test('every contract test passes, and gas is what snapshots/ says', async () => {
    const { exitCode, stdout, stderr } = await runForge(['test'], { env: checked })
    expect(exitCode, stdout + stderr).toBe(0)
    const passed = Number(/(\d+) tests passed, 0 failed, 0 skipped/.exec(stdout)?.[1])
    expect(passed).toBeGreaterThan(100)
  })

  test('Solidity is formatted: npx node contracts/forge.ts fmt', async () => {
    const { exitCode, stdout } = await runForge(['fmt', '--check'])
    expect(exitCode, stdout).toBe(0)
  })

  test('each leaf of a .tree file is one test in the .t.sol file, and each test is a leaf', async () => {
    const files = await readdir(join(root, 'test'), { recursive: true })
    const trees = files.filter((file) => file.endsWith('.tree'))
    expect(trees.length).toBeGreaterThan(0)
    for (const tree of trees) {
      const leaves = (await readFile(join(root, 'test', tree), 'utf8')).matchAll(/ → (\w+)$/gm)
      const tests = (await readFile(join(root, 'test', tree.replace('.tree', '.t.sol')), 'utf8')).matchAll(
        /function (test\w+)\(/g,
      )
      expect(names(leaves), tree).toEqual(names(tests))
    }
  })
})

describe('artifacts', () => {
  const kept = 'what is kept is not what compiles: run npx node contracts/compile.ts'

  test('the committed ABIs are what compiles', async () => {
    const folder = join(root, '..', 'protocol', 'abi')
    const expected = await abiModules()
    expect((await readdir(folder)).toSorted()).toEqual(Object.keys(expected).toSorted())
    for (const [name, text] of Object.entries(expected)) {
      expect(await readFile(join(folder, name), 'utf8'), `${name}: run npx node contracts/compile.ts`).toBe(text)
    }
  })

  test('the bytecode that is deployed is the one that forge tests', async () => {
    for (const name of keptContracts) {
      const { abi, bytecode } = await builtByForge(name)
      expect(await loadArtifact(name), kept).toEqual({ abi, bytecode: bytecode.object })
    }
  })

  test('the gateway is no larger than a chain takes (EIP-170), which forge does not check', async () => {
    const { deployedBytecode } = await builtByForge('PaymentGateway')
    const bytes = (deployedBytecode.object.length - 2) / 2
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(24_576)
  })

  test('the gateway runs no foreign code and no operation younger than istanbul', async () => {
    const { deployedBytecode } = await builtByForge('PaymentGateway')
    const found = operations(Buffer.from(deployedBytecode.object.slice(2), 'hex'))
    expect(found.has(0xf1), 'CALL: it does pay').toBe(true)
    const foreign = { CREATE: 0xf0, CALLCODE: 0xf2, DELEGATECALL: 0xf4, CREATE2: 0xf5, SELFDESTRUCT: 0xff }
    const young = {
      BASEFEE: 0x48,
      BLOBHASH: 0x49,
      BLOBBASEFEE: 0x4a,
      TLOAD: 0x5c,
      TSTORE: 0x5d,
      MCOPY: 0x5e,
      PUSH0: 0x5f,
    }
    for (const [name, operation] of Object.entries({ ...foreign, ...young })) {
      expect(found.has(operation), name).toBe(false)
    }
  })

  test('processes that load from an empty store at the same time all get the artifact', async () => {
    const store = await mkdtemp(join(tmpdir(), 'candela-artifacts-'))
    try {
      const script = `
        const { loadArtifact } = await import(${JSON.stringify(join(root, 'artifacts.ts'))})
        const artifact = await loadArtifact('PaymentGateway', ${JSON.stringify(store)})
        process.stdout.write(artifact.bytecode)`
      const { bytecode } = await loadArtifact('PaymentGateway')
      const outputs = await Promise.all(
        [1, 2].map(() => run(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 1 << 24 })),
      )
      for (const { stdout, stderr } of outputs) expect({ stdout, stderr }).toEqual({ stdout: bytecode, stderr: '' })
      const [key, ...others] = await readdir(store)
      expect(others, 'one result, and no work left behind').toEqual([])
      expect(await readFile(join(root, 'compiled', 'compiled-from'), 'utf8'), kept).toBe(`${key}\n`)
    } finally {
      await rm(store, { recursive: true, force: true })
    }
  })

  test('Uniswap comes from npm, and its router finds pairs by the hash of the pair code', async () => {
    for (const name of ['UniswapV2Factory', 'UniswapV2Pair', 'UniswapV2Router02', 'WETH9'] as const) {
      const { abi, bytecode } = await uniswapArtifact(name)
      expect(bytecode).toMatch(/^0x[0-9a-f]{1000,}$/)
      expect(abi.length).toBeGreaterThan(5)
    }
    // keccak-256 of the pair's creation code, as Uniswap documents it and as the router has it built in.
    const hash = '96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'
    expect((await uniswapArtifact('UniswapV2Router02')).bytecode).toContain(hash)
  })
})

describe('mutants', () => {
  test('are found by the test that forge names, not by an action of its sequence', () => {
    const sequence =
      '\t[Sequence] (original: 2, shrunk: 2)\n\t\tsender=0x01 addr=[test/Handler.sol:Handler]0x02 calldata=setUp() args=[]\n'
    const lines = [
      ['[FAIL: balance: 5 != 3]\n', sequence, ' invariant_Balance() (runs: 1, calls: 64, reverts: 0)\n'],
      [
        '[FAIL: paid; counterexample: calldata=0x27 args=[1]] ',
        'testFuzz_Pay(uint64[3],uint8) (runs: 6, μ: 80, ~: 72)\n',
      ],
      ['[FAIL: EvmError: Revert] ', 'setUp() (gas: 0)\n'],
    ]
    const named = lines.map((parts) => failureIn(`[PASS] test_Other() (gas: 5)\n${parts.join('')}`))
    expect(named).toEqual(['invariant_Balance', 'testFuzz_Pay', 'setUp'])
    expect(failureIn('[PASS] test_Other() (gas: 5)\n')).toBeUndefined()
  })

  test('each still matches one place in the contracts (npx node contracts/mutants.ts runs them)', async () => {
    expect(new Set(mutants.map(({ bug }) => bug)).size).toBe(mutants.length)
    for (const mutant of mutants) {
      const source = await readFile(sourceOf(mutant, root), 'utf8')
      expect(applyMutant(source, mutant), mutant.bug).not.toBe(source)
    }
  })
})

describe('solc.ts', () => {
  test('reports the version of the npm package', async () => {
    const { stdout } = await run(process.execPath, [solc, '--version'])
    expect(stdout).toMatch(/^Version: 0\.8\.37$/m)
  })

  test('finds imports below the base and include paths, and names an import that is in none of them', async () => {
    expect(await compileErrors('src/IPaymentGateway.sol')).toEqual([])
    expect(await compileErrors('@openzeppelin/contracts/token/ERC20/IERC20.sol')).toEqual([])
    expect((await compileErrors('src/Missing.sol'))[0]?.message).toContain('src/Missing.sol')
  })

  test('refuses other arguments', async () => {
    await expect(run(process.execPath, [solc, '--bin'])).rejects.toThrow('--version and --standard-json only')
  })
})
