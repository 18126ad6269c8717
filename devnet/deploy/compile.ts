/** As a script: compiles the contracts if that has not been done, in a process that can be stopped with its compiler. */
import { loadArtifact } from '@candela/contracts/artifacts.ts'

try {
  await loadArtifact('PaymentGateway')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
