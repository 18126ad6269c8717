/** A program on the command line says what it does: its first comment, with `--help` or after a flag that it does not know. */
import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Reads the flags of a program as `parseArgs` does. With `--help`, or when one is wrong, prints the program's first comment and ends. */
export function readFlags<T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  showHelp(file)
  try {
    return parseArgs(config)
  } catch (error) {
    return endWithUsage(file, error instanceof Error ? error.message : String(error))
  }
}

/** Prints a program's first comment and ends, when its command line has `--help`. */
export function showHelp(file: string): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(usageOf(file))
  process.exit(0)
}

/** Ends a program whose command line cannot be understood. */
export function endWithUsage(file: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usageOf(file)}`)
  process.exit(2)
}

function usageOf(file: string): string {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? []
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  return `${lines.join('\n').trim()}\n`
}
