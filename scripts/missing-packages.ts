/** Writes the Debian packages that complete tests need and this machine lacks, on one line. */
import { missingPackages, programNames } from '../testing/process/debian-programs.ts'

process.stdout.write(`${missingPackages(programNames).join(' ')}\n`)
