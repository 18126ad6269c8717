/** Writes the Debian packages that complete tests need and this machine lacks, on one line. */
import { showHelp } from './usage.ts'
import { missingPackages, programNames } from '../testing/process/debian-programs.ts'

showHelp(import.meta.filename)
process.stdout.write(`${missingPackages(programNames).join(' ')}\n`)
