import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type Log, type LogFilter, readLogs, type Rpc } from './rpc.ts'
import type { Service } from './service.ts'

/**
 * Fetched answers are kept in a folder, so that a run that was stopped goes on where it was, and everything can be checked again
 * without a node or a service.
 */
export type Folder = {
  read: (name: string) => Promise<unknown>
  write: (name: string, value: unknown) => Promise<void>
}

/** Null where nothing was saved under the name. */
export function openFolder(folder: string): Folder {
  const fileOf = (name: string) => path.join(folder, `${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.json`)
  return {
    async read(name) {
      const text = await readFile(fileOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      return text === null ? null : JSON.parse(text)
    },
    async write(name, value) {
      await mkdir(folder, { recursive: true })
      // Whole or not at all: a run may be stopped at any moment.
      await writeFile(`${fileOf(name)}.new`, JSON.stringify(value))
      await rename(`${fileOf(name)}.new`, fileOf(name))
    },
  }
}

/** Keeps nothing. */
export const noFolder: Folder = { read: async () => null, write: async () => undefined }

const nameOf = (place: string, input: Readonly<Record<string, string>>) =>
  `service ${place} ${Object.entries(input).join(' ')}`

/** Answers of the service, saved as they come; with no service those that were saved. */
export function savingService(service: Service | null, folder: Folder): Service {
  return {
    async read(place, input = {}) {
      if (service !== null) {
        const answer = await service.read(place, input)
        await folder.write(nameOf(place, input), answer)
        return answer
      }
      return folder.read(nameOf(place, input))
    },
  }
}

const questionName = (method: string, params: readonly unknown[]): string => `rpc ${method} ${JSON.stringify(params)}`

/** Answers of the node for single questions, saved as they come; with no node those that were saved. */
export function savingRpc(rpc: Rpc | null, folder: Folder): Rpc {
  return {
    isSaved: rpc === null,
    async call(method, params) {
      if (rpc === null) {
        const saved = await folder.read(questionName(method, params))
        if (saved === null) throw new Error(`${method} was not saved, and there is no node to ask`)
        return saved
      }
      const answer = await rpc.call(method, params)
      // Logs are saved in pieces, by whoever asks for them.
      if (method !== 'eth_getLogs') await folder.write(questionName(method, params), answer)
      return answer
    },
  }
}

const RANGE = 2_000

const savedLogs = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.custom<`0x${string}`>((text) => typeof text === 'string')),
    data: z.custom<`0x${string}`>((text) => typeof text === 'string'),
    blockNumber: z.number(),
    blockHash: z.string(),
    txHash: z.string(),
    logIndex: z.number(),
  }),
)

/** All logs of a range of blocks in pieces, each saved; pieces that were saved before are not asked for again. */
export async function readLogsInPieces(
  { rpc, folder, progress }: { rpc: Rpc; folder: Folder; progress: (text: string) => void },
  what: string,
  filter: LogFilter,
  { from, to, final }: { from: number; to: number; final: number },
): Promise<Log[]> {
  const logs: Log[] = []
  for (let start = from; start <= to; start += RANGE) {
    const end = Math.min(to, start + RANGE - 1)
    const name = `logs ${what} ${start} ${end}`
    // The last blocks may still be replaced: what was read of them counts only where there is no node to ask again.
    const isKnown = end <= final || rpc.isSaved === true
    const saved = isKnown ? await folder.read(name) : null
    const piece = saved === null ? await readLogs(rpc, filter, start, end) : savedLogs.parse(saved)
    if (saved === null) await folder.write(name, piece)
    for (const log of piece) logs.push(log)
    if (to - from > RANGE) progress(`${what}: block ${end} of ${to}, ${logs.length} logs`)
  }
  return logs.toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex)
}
