import { codes, type ErrorName } from '@candela/protocol/codes/codes'
import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { envelopeForm } from '@candela/protocol/envelope/envelope-schema'
import { languages } from '@candela/protocol/language'
import { z } from 'zod'

type Json = { [key: string]: unknown }

const FORM = 'application/x-www-form-urlencoded'
const common: readonly ErrorName[] = ['invalidInput', 'tooLarge', 'slowDown', 'ourFault']

/** Every code that an endpoint may answer besides 200: its own, and those that all of them have. */
export function errorCodesOf(key: Key): number[] {
  const { auth, errors } = endpoints[key]
  const names = [...common, ...errors, ...(auth === 'session' ? (['noSession'] as const) : [])]
  return [...new Set(names.map((name) => codes[name]))].toSorted((a, b) => a - b)
}

/** The OpenAPI 3.1 document of the endpoint table: what is not in the table is not in the document. */
export function openApiDocument(): Json {
  const keys = (Object.keys(endpoints) as Key[]).toSorted()
  const paths: Record<string, Json> = {}
  for (const key of keys) {
    const { method, path } = endpointRoute(key)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Candela',
      version: '1',
      description:
        'Forms in, JSON out. Plain routes answer with HTTP 200 whenever the request was understood as one: what came of it is in `code`. ' +
        'In production only the gateway answers, with these routes inside of its envelope.',
    },
    paths: { ...paths, [GATEWAY_PATH]: { post: gatewayOperation() } },
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The token that signing in gave, bare or behind "Bearer".',
        },
      },
      parameters: {
        LANG: {
          name: 'LANG',
          in: 'header',
          description: 'Language of messages.',
          schema: { enum: languages.map((language) => language.toUpperCase()), default: 'TW' },
        },
      },
    },
  }
}

function operationOf(key: Key): Json {
  const row = endpoints[key]
  const { method } = endpointRoute(key)
  const input = schemaOf(row.input)
  return {
    operationId: key.replace(/^\w+ /, '').replaceAll('/', '_'),
    tags: [key.replace(/^\w+ /, '').split('/')[0]],
    summary: row.summary,
    ...(row.auth === 'session' && { security: [{ session: [] }] }),
    parameters: [{ $ref: '#/components/parameters/LANG' }, ...(method === 'GET' ? queryOf(input) : [])],
    ...(method === 'POST' && { requestBody: { content: { [FORM]: { schema: input } } } }),
    responses: { '200': { description: 'What came of it.', content: { 'application/json': { schema: bodyOf(key) } } } },
  }
}

function queryOf(input: Json): Json[] {
  const required = Array.isArray(input['required']) ? input['required'] : []
  return Object.entries((input['properties'] ?? {}) as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const bodyOf = (key: Key): Json => ({
  oneOf: [
    {
      type: 'object',
      properties: { code: { const: codes.ok }, message: { type: 'string' }, data: schemaOf(endpoints[key].data) },
      required: ['code', 'message', 'data'],
    },
    {
      type: 'object',
      properties: { code: { enum: errorCodesOf(key) }, message: { type: 'string' }, data: { type: 'null' } },
      required: ['code', 'message', 'data'],
    },
  ],
})

const gatewayOperation = (): Json => ({
  operationId: 'gateway',
  tags: ['gateway'],
  summary: 'Takes any other route as an encrypted envelope, and answers with its body encrypted under the same key.',
  requestBody: { content: { [FORM]: { schema: schemaOf(envelopeForm) } } },
  responses: {
    '200': { description: 'base64 of the encrypted body.', content: { 'text/plain': { schema: { type: 'string' } } } },
    '400': { description: 'Not an envelope that is accepted, whatever is wrong with it.' },
    '429': { description: 'Too many; Retry-After says when.' },
  },
})

/** The schema of what travels: texts before they are parsed, and data as JSON. */
function schemaOf(type: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  return schema
}
