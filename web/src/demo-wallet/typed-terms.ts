import type { TypedDataDefinition } from 'viem'

/** Typed data (EIP-712) in words: everything that the signature will cover. */
export type TypedTerms = {
  site: string
  action: string
  contract: string
  /** Name and value, in the order in which they are signed. */
  fields: readonly (readonly [string, string])[]
}

type Read = { definition: TypedDataDefinition; terms: TypedTerms }

/** Reads what a page asks to be signed; null for what cannot be shown field by field, which is then not signed. */
export function readTypedData(data: unknown): Read | null {
  const typed: unknown = typeof data === 'string' ? parse(data) : data
  if (!isRecord(typed)) return null
  const { domain, types, primaryType, message } = typed
  if (!isRecord(domain) || !isRecord(types) || typeof primaryType !== 'string' || !isRecord(message)) return null
  const listed = types[primaryType]
  if (!Array.isArray(listed)) return null
  const fields = listed.map((field: unknown) => {
    const name = isRecord(field) ? String(field['name']) : ''
    return [name, message[name]] as const
  })
  // A nested value would be hidden from the person who reads the list.
  if (fields.some(([, value]) => typeof value !== 'string' && typeof value !== 'number')) return null
  return {
    definition: typed as unknown as TypedDataDefinition,
    terms: {
      site: String(domain['name']),
      action: primaryType,
      contract: String(domain['verifyingContract']),
      fields: fields.map(([name, value]) => [name, String(value)] as const),
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
