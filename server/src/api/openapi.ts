import { codes, type ErrorName } from '@candela/protocol/codes/codes'
import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { envelopeForm } from '@candela/protocol/envelope/envelope-schema'
import { languages } from '@candela/protocol/language'
import { isMoneyCommand } from './money-command.ts'
import { ofEndpoints } from './described/areas.ts'
import { whenOf } from './described/codes.ts'
import type { Texts } from './described/described.ts'
import { type Faults, type Json, componentSchemas, schemaOf } from './described/json-schemas.ts'

const FORM = 'application/x-www-form-urlencoded'
const common: readonly ErrorName[] = ['invalidInput', 'tooLarge', 'slowDown', 'ourFault']

/** Every code that an endpoint may answer besides 200: its own, and those that all of them have. */
export function errorCodesOf(key: Key): number[] {
  const { auth, errors } = endpoints[key]
  const names = [
    ...common,
    ...errors,
    ...(auth === 'session' ? (['noSession'] as const) : []),
    ...(isMoneyCommand(key) ? (['exitMode'] as const) : []),
  ]
  return [...new Set(names.map((name) => codes[name]))].toSorted((a, b) => a - b)
}

const names = new Map(Object.entries(codes).map(([name, code]) => [code, name as ErrorName]))

/** A line for each code that an endpoint may answer besides 200, with when it comes. */
const codesText = (key: Key): string =>
  errorCodesOf(key)
    .map((code) => `- ${code}: ${whenOf[names.get(code as never) ?? 'ourFault']}`)
    .join('\n')

const areaOf = (key: Key): string => /^\w+ ([^/]+)/.exec(key)?.[1] ?? ''

/**
 * The OpenAPI 3.1 document of the endpoint table: what is not in the table is not in the document.
 * @param faults gets the properties that nothing is said of
 */
export function openApiDocument(faults: Faults = { missing: [], unused: [] }): Json {
  const keys = (Object.keys(endpoints) as Key[]).toSorted()
  const paths: Record<string, Json> = {}
  for (const key of keys) {
    const { method, path } = endpointRoute(key)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key, faults) }
  }
  const areas = [...new Set(keys.map(areaOf))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Candela',
      version: '1',
      description:
        'Forms in, JSON out. Plain routes answer with HTTP 200 whenever the request was understood as one: what came of it is in `code`. ' +
        'In production only the gateway answers, with these routes inside of its envelope.\n\n' +
        'Whole units are decimal texts; only where a property says so it is in base units (10^-18). In formulas ⌊ ⌋ rounds down and ⌈ ⌉ up, ' +
        'to a base unit unless another is named, once for the whole formula. Days are UTC days.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{origin}',
        description: 'The service.',
        variables: {
          origin: { default: 'http://127.0.0.1:8210', description: 'Where it is; this is what `npm start` runs.' },
        },
      },
    ],
    security: [],
    tags: [...areas, 'gateway'].map((name) => ({ name, description: tagTexts[name] ?? '' })),
    paths: { ...paths, [GATEWAY_PATH]: { post: gatewayOperation(faults) } },
    components: {
      schemas: { ...componentSchemas(faults), Refusal: refusal },
      responses: {
        NoRequest: {
          description:
            'It never became a request: a path or method that does not exist (404), another kind of content (415), too large (413, 431), or too many (429). The body has the same form.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
        },
      },
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

const tagTexts: Readonly<Record<string, string>> = {
  auth: 'Signing in, and the devices that are signed in.',
  command: 'What became of a command.',
  deposit: 'Money that comes in.',
  exchange: 'Exchanges at the desk.',
  file: 'Files for another browser.',
  finance: 'The money fund.',
  gateway: 'Encrypted calls.',
  home: 'Figures of the home screens.',
  lending: 'Loans.',
  lever: 'Leveraged loans.',
  notice: 'Messages to the member.',
  power: 'Computing power and its output.',
  project: 'Loan products.',
  solvency: 'What is owed and what is held, and the proof of it.',
  statement: 'Every line of an account.',
  transfer: 'Transfers between members.',
  user: 'The account of the caller.',
  withdraw: 'Payouts to the own wallet.',
}

function operationOf(key: Key, faults: Faults): Json {
  const row = endpoints[key]
  const { method } = endpointRoute(key)
  const texts = ofEndpoints[key] ?? {}
  const input = schemaOf(row.input, texts.input ?? {}, `${key} input`, faults)
  return {
    operationId: key.replace(/^\w+ /, '').replaceAll('/', '_'),
    tags: [areaOf(key)],
    summary: row.summary,
    description: `Codes besides 200:\n\n${codesText(key)}`,
    security: row.auth === 'session' ? [{ session: [] }] : [],
    parameters: [{ $ref: '#/components/parameters/LANG' }, ...(method === 'GET' ? queryOf(input) : [])],
    ...(method === 'POST' && { requestBody: { content: { [FORM]: { schema: input } } } }),
    responses: {
      '200': {
        description: 'What came of it.',
        content: { 'application/json': { schema: bodyOf(key, texts.data ?? {}, faults) } },
      },
      '4XX': { $ref: '#/components/responses/NoRequest' },
    },
  }
}

function queryOf(input: Json): Json[] {
  const required = Array.isArray(input['required']) ? input['required'] : []
  return Object.entries((input['properties'] ?? {}) as Record<string, Json>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      description,
      required: required.includes(name),
      schema,
    }),
  )
}

const message = { type: 'string', description: 'For people, in the language of LANG.' }

const refusal: Json = {
  type: 'object',
  description: 'Nothing was done.',
  properties: {
    code: { type: 'integer', description: 'Why.' },
    message,
    data: { type: 'null', description: 'Always null.' },
  },
  required: ['code', 'message', 'data'],
}

const bodyOf = (key: Key, texts: Texts, faults: Faults): Json => ({
  oneOf: [
    {
      type: 'object',
      properties: {
        code: { const: codes.ok, description: 'Done.' },
        message,
        data: {
          ...schemaOf(endpoints[key].data, texts, `${key} data`, faults),
          description: 'What came of it.',
        },
      },
      required: ['code', 'message', 'data'],
    },
    {
      type: 'object',
      properties: {
        code: { enum: errorCodesOf(key), description: 'Why nothing was done.' },
        message,
        data: { type: 'null', description: 'Always null.' },
      },
      required: ['code', 'message', 'data'],
    },
  ],
})

const gatewayOperation = (faults: Faults): Json => ({
  operationId: 'gateway',
  tags: ['gateway'],
  summary: 'Takes any other route as an encrypted envelope, and answers with its body encrypted under the same key.',
  description: 'Whatever is wrong with an envelope, the answer is the same: 400.',
  security: [],
  requestBody: { content: { [FORM]: { schema: schemaOf(envelopeForm, {}, 'gateway', faults) } } },
  responses: {
    '200': { description: 'base64 of the encrypted body.', content: { 'text/plain': { schema: { type: 'string' } } } },
    '400': { description: 'Not an envelope that is accepted, whatever is wrong with it.' },
    '429': { description: 'Too many; Retry-After says when.' },
  },
})
