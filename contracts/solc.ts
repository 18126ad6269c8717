#!/usr/bin/env node
/**
 * The part of the solc command line that forge uses, over the compiler that npm ships: `--version`, and
 * `--standard-json` from stdin to stdout. Nothing is downloaded.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { text } from 'node:stream/consumers'

interface Solc {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }): string
}

const require = createRequire(import.meta.url)

/** The values of every `--name value` or `--name=value` in the arguments. */
function optionValues(args: readonly string[], name: string): string[] {
  return args.flatMap((arg, i) => {
    if (arg.startsWith(`${name}=`)) return [arg.slice(name.length + 1)]
    const next = args[i + 1]
    return arg === name && next !== undefined ? [next] : []
  })
}

/** Reads a file that the compiler's input imports without containing it. */
function findImport(folders: readonly string[], path: string): { contents: string } | { error: string } {
  const candidates = isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path))
  for (const candidate of candidates) {
    try {
      return { contents: readFileSync(candidate, 'utf8') }
    } catch {
      // Not in this folder: the next one may have it, and the compiler reports a file that is in no folder.
    }
  }
  return { error: `${path} is in none of: ${folders.join(', ')}` }
}

const args = process.argv.slice(2)
if (args.includes('--version')) {
  // The compiler itself takes a second to load; its package has the version too.
  const { version } = require('solc/package.json') as { version: string }
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (args.includes('--standard-json')) {
  const folders = [...optionValues(args, '--base-path'), ...optionValues(args, '--include-path')]
  const solc = require('solc') as Solc
  const output = solc.compile(await text(process.stdin), { import: (path) => findImport(folders, path) })
  process.stdout.write(output)
} else {
  process.stderr.write(`solc.ts answers --version and --standard-json only, not: ${args.join(' ')}\n`)
  process.exitCode = 2
}
