#!/usr/bin/env node
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isDay } from './days.ts'
import { createReport, exitCode, type Line, lineText, notCheckedText, summaryText } from './report.ts'
import { openRpc } from './sources/rpc.ts'
import { type OwnFiles, verify } from './run.ts'
import { noFolder, openFolder, savingRpc, savingService } from './sources/saved.ts'
import { openService } from './sources/service.ts'

const help = `Recomputes what a Candela service publishes from the chain alone.

  node verify.mjs --gateway ADDRESS --rpc URL --service URL [--data FOLDER] [--own FOLDER] [--since DAY] [--from-block N] [--json]
  node verify.mjs --gateway ADDRESS --data FOLDER      what was saved before, without a node or a service

  --gateway ADDRESS  the contract: from a saved proof, or from the wallet's own payments. The service's word is compared with it
  --chain N          its chain, 210000 unless given
  --data FOLDER    keeps what is fetched: a run that was stopped goes on, and can be repeated without a network
  --own FOLDER     your own files: statement CSV, JSON of incomes, loans and proofs
  --since DAY      checks from that UTC day on
  --from-block N   reads the chain from that block on; the contract's first one saves time
  --json           one JSON object a line instead of text

Ends with 0 when everything agrees, with 1 when anything differs, with 2 when nothing differs and not everything could be read. The last lines name what is not checked.
`

const { values } = parseArgs({
  options: {
    gateway: { type: 'string', default: '' },
    chain: { type: 'string', default: '210000' },
    rpc: { type: 'string' },
    service: { type: 'string' },
    data: { type: 'string' },
    own: { type: 'string' },
    since: { type: 'string' },
    'from-block': { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const write = (text: string) => void process.stdout.write(`${text}\n`)
const stop = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

if (values.help) {
  write(help)
  process.exit(0)
}
if (values.data === undefined && (values.rpc === undefined || values.service === undefined)) stop(help)
if (!/^0x[0-9a-fA-F]{40}$/.test(values.gateway))
  stop('--gateway is the address of the contract, from a saved proof or from your own payments to it')
if (!/^\d{1,15}$/.test(values.chain)) stop('--chain is a number')
if (values.since !== undefined && !isDay(values.since)) stop(`--since is a day such as 2026-11-22, not ${values.since}`)
if (!/^\d{1,15}$/.test(values['from-block'])) stop('--from-block is a number')

const showLine = (line: Line) => write(values.json ? JSON.stringify(line) : lineText(line))
// Only where a person looks on.
const showProgress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

async function readOwn(folder: string): Promise<OwnFiles> {
  const names = (await readdir(folder)).filter((name) => /\.(csv|json)$/.test(name)).toSorted()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })))
}

const report = createReport(showLine, showProgress)
try {
  const folder = values.data === undefined ? noFolder : openFolder(values.data)
  await verify(report, {
    rpc: savingRpc(values.rpc === undefined ? null : openRpc(values.rpc), folder),
    service: savingService(values.service === undefined ? null : openService(values.service), folder),
    folder,
    gateway: values.gateway.toLowerCase(),
    chainId: Number(values.chain),
    fromBlock: Number(values['from-block']),
    since: values.since ?? null,
    own: values.own === undefined ? [] : await readOwn(values.own),
  })
} catch (error) {
  stop(`The check could not run: ${error instanceof Error ? error.message : String(error)}`)
}
const code = exitCode(report.lines)
const summary = summaryText(report.lines)
write(values.json ? JSON.stringify({ code, summary }) : `\n${notCheckedText(report.lines)}\n\n${summary}`)
process.exitCode = code
