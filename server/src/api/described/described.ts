import type { Key } from '@candela/protocol/endpoints'
import type { z } from 'zod'

/**
 * Texts of each property in the OpenAPI document. They stand apart from the schemas, because the app loads those and nobody reads the texts there.
 * A text says what the figure is, its unit, how it is rounded, and what null or absence means.
 */

/**
 * Texts by the path of the property: "dues.amount" is `amount` of an object `dues`, or of each object in a list `dues`. Paths end where a
 * named schema begins.
 */
export type Texts = Readonly<Record<string, string>>

/** A schema that stands once in the document, with its own texts. */
export type NamedSchema = { schema: z.ZodType; text: string; properties?: Texts }

export type Described = {
  schemas?: Readonly<Record<string, NamedSchema>>
  endpoints: { readonly [K in Key]?: { input?: Texts; data?: Texts } }
}
