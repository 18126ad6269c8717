import { z } from 'zod'

/** The form fields of the outer POST. */
export const envelopeForm = z.object({
  handshake: z.string().regex(/^[A-Za-z0-9]{16}$/),
  /** Milliseconds since 1970, UTC. */
  timestamp: z.string().regex(/^[0-9]{13}$/),
  sign: z.string().regex(/^[0-9a-f]{64}$/),
  /** base64 of AES-128-ECB with PKCS7 padding over the JSON of an inner request. */
  data: z
    .string()
    .max(65_536)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
})

export type EnvelopeForm = z.infer<typeof envelopeForm>

const texts = z.record(z.string().max(64), z.string().max(20_000))

/** The inner request, which is encrypted. `params` is the query of a GET, `data` the form of a POST. */
export const innerRequest = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string().max(256),
  params: texts.optional(),
  data: texts.optional(),
  headers: z.object({ Authorization: z.string().max(512).optional(), LANG: z.string().max(8).optional() }).optional(),
})

export type InnerRequest = z.infer<typeof innerRequest>
