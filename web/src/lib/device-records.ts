// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import './plain-schemas.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import { parseAmount } from '@candela/protocol/money/money'
import * as z from 'zod/mini'
import type { DeviceStorage } from './storage.ts'

const asset = z.enum(assetCodes)
const text = z.string()
const positiveAmount = text.check(z.refine((value) => parseAmount(value).ok && /[1-9]/.test(value)))
const deskPrice = z.object({
  asset,
  used: text,
  side: z.enum(['average', 'spot', 'unit']),
  average: text,
  spot: text,
  windowSeconds: z.number(),
  pair: z.nullable(text),
  blockNumber: z.nullable(z.number()),
  observedAt: z.nullable(text),
})

const fields = z.record(text, text)

/** Lists, newest first: what each item has to be. Times in milliseconds. */
const listItems = {
  /** A command whose outcome is not known: whose (in lower case), what was asked for, and word for word as it was sent. */
  pendingCommands: z.object({
    account: text,
    key: text,
    about: fields,
    input: fields,
    requestId: text,
    at: z.number(),
  }),
  /** The same in older versions, of most commands. */
  requests: z.object({ what: text, requestId: text, at: z.number() }),
  /** A payment that the wallet has sent, by what it pays for. */
  sent: z.object({ reference: text, hash: text, at: z.number() }),
  /** A payment that a wallet was asked for, and how many transactions its account had sent by then; kept until its end is known. */
  asked: z.object({ reference: text, at: z.number(), nonce: z.nullable(z.number()) }),
}

/** In older versions: the one transfer or exchange without an answer of each account, by its address in lower case. */
const commands = {
  /** Signed, and the account number that the recipient was shown with. */
  transfer: z.object({
    toUid: text,
    input: z.object({ to: text, asset, amount: positiveAmount, requestId: text, deadline: text, signature: text }),
  }),
  /** The quote that was agreed to. */
  exchange: z.object({
    requestId: text,
    quote: z.object({
      quoteNo: text,
      from: asset,
      to: asset,
      amountIn: positiveAmount,
      rate: text,
      fee: text,
      amountOut: positiveAmount,
      feePpm: z.number(),
      baseFeePpm: z.number(),
      level: z.number(),
      discountPercent: z.number(),
      prices: z.object({ from: deskPrice, to: deskPrice }),
      createdAt: text,
      expiresAt: text,
    }),
  }),
}

export type ListKey = keyof typeof listItems
export type ListItem<K extends ListKey> = z.infer<(typeof listItems)[K]>
type CommandKey = keyof typeof commands
type KeptCommand<K extends CommandKey> = z.infer<(typeof commands)[K]>

/** The items that are as they should be; others are left out, and do not cost the rest. */
export function readList<K extends ListKey>(storage: DeviceStorage, key: K): ListItem<K>[] {
  const kept = parsed(storage.get(key))
  if (!Array.isArray(kept)) return []
  return kept.filter((item): item is ListItem<K> => z.safeParse(listItems[key], item).success)
}

export const writeList = <K extends ListKey>(storage: DeviceStorage, key: K, items: readonly ListItem<K>[]): void =>
  storage.set(key, JSON.stringify(items))

/** By account. A command is returned as it was kept, whatever else it holds. */
export function readCommands<K extends CommandKey>(storage: DeviceStorage, key: K): Record<string, KeptCommand<K>> {
  const kept = parsed(storage.get(key))
  if (typeof kept !== 'object' || kept === null) return {}
  const isCommand = (entry: [string, unknown]): entry is [string, KeptCommand<K>] =>
    z.safeParse(commands[key], entry[1]).success
  return Object.fromEntries(Object.entries(kept).filter(isCommand))
}

/** The texts of an object as JSON; null for anything else. */
export function readFields(json: string): Record<string, string> | null {
  const read = z.safeParse(fields, parsed(json))
  return read.success ? read.data : null
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return null
  }
}
