#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isDay } from './days.ts'
import { laterProof } from './later-proof.ts'
import { proofForm, type SecretProof } from './proof-form.ts'
import { readTree } from './tree-parts.ts'

const help = `Makes the proof of another day from a saved proof and that day's tree, without a service.

  npx node verify/proof.ts --proof FILE --tree FOLDER [--day DAY] --to FILE

  --proof FILE   a saved proof of any day, of version 2
  --tree FOLDER  parts of the tree as verify.ts keeps them (--data), or a mirror of them
  --day DAY      the day of the tree; the newest in the folder when it is not given
  --to FILE      where the new proof goes; a file that is there is not written over

The root that it prints must be the one that the contract has (lastAttestation). Ends with 2 when it could not be made.
`

const { values } = parseArgs({
  options: {
    proof: { type: 'string' },
    tree: { type: 'string' },
    day: { type: 'string' },
    to: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const write = (text: string) => void process.stdout.write(`${text}\n`)
const stop = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}
// Only where a person looks on.
const showProgress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

if (values.help) {
  write(help)
  process.exit(0)
}
const { proof: from, tree: folder, day = null, to } = values
if (from === undefined || folder === undefined || to === undefined) stop(help)
else if (day !== null && !isDay(day)) stop(`--day is a day such as 2026-11-22, not ${day}`)
else {
  try {
    const proof = laterProof(await readSaved(from), await readTree(folder, day, showProgress), showProgress)
    await writeFile(to, JSON.stringify(proof, null, 2), { flag: 'wx' })
    showProgress('')
    write(`${to}: the proof of ${proof.day} for ${proof.leaf.member}, root ${proof.root.hash}`)
  } catch (error) {
    stop(`The proof could not be made: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function readSaved(file: string): Promise<SecretProof> {
  const { data } = proofForm.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (data === undefined) throw new Error(`${file} is no proof`)
  if (data.version === 2) return data
  throw new Error(`${file} has no secret (version 1): it is good for ${data.day} alone`)
}
