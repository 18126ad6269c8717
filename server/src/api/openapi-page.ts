import type { Json } from './described/json-schemas.ts'
import { openApiDocument } from './openapi.ts'

/** The OpenAPI document as one page for people: no script, nothing loaded but a style sheet where its policy wants one apart. */

type Schema = {
  description?: string
  type?: string | string[]
  const?: string | number
  enum?: (string | number)[]
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Operation = {
  summary: string
  description?: string
  tags: string[]
  security: unknown[]
  parameters?: { name?: string; description?: string; required?: boolean; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: Json }> }
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: Json }> }>
}
type Document = {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Texts with `code` in them. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const nameOf = (reference: string): string => reference.replace('#/components/schemas/', '')

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map(typeOf))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escape(String(schema.const))}</code>`
  if (schema.type === 'array' && schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'anything'].flat().join(' or ')
}

/** A line for each property, those of objects inside with the path to them. */
function rowsOf(schema: Schema, path = ''): string[] {
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  const rows = [
    ...inner.flatMap((one) => rowsOf(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      `<tr><td><code>${escape(path + name)}</code><td>${typeOf(property)}<td>${prose(property.description ?? '')}`,
      ...rowsOf(property, `${path}${name}.`),
    ]),
  ]
  return [...new Set(rows)]
}

const table = (rows: readonly string[]): string => (rows.length === 0 ? '' : `<table>${rows.join('')}</table>`)

const block = (title: string, inside: string): string => (inside === '' ? '' : `<h4>${title}</h4>${inside}`)

const exampleOf = (example: Json | undefined): string =>
  example === undefined ? '' : `<pre>${escape(JSON.stringify(example, null, 1))}</pre>`

function operationHtml(path: string, method: string, operation: Operation): string {
  const name = path.replace('/api/v1/', '')
  const query = (operation.parameters ?? []).filter(({ name: own }) => own !== undefined)
  const [form] = Object.values(operation.requestBody?.content ?? {})
  const [answer] = Object.values(operation.responses['200']?.content ?? {})
  const data = answer?.schema.oneOf?.[0]?.properties?.['data']
  const input = [
    ...query.map(
      ({ name: own = '', required = false, schema = {}, description = '' }) =>
        `<tr><td><code>${escape(own)}</code>${required ? '' : ' (optional)'}<td>${typeOf(schema)}<td>${prose(description)}`,
    ),
    ...(form === undefined ? [] : rowsOf(form.schema)),
  ]
  const codes = (operation.description ?? '')
    .split('\n')
    .flatMap((line) => /^- (\d+): (.*)/.exec(line)?.slice(1, 3) ?? [])
  const codeRows = codes.flatMap((code, nth) =>
    nth % 2 === 0 ? [`<tr><td>${code}<td>${prose(codes[nth + 1] ?? '')}`] : [],
  )
  const whole = data?.$ref === undefined ? '' : `<p>${typeOf(data)}</p>`
  return `<details id="${escape(name)}"><summary><code>${method.toUpperCase()} ${escape(name)}</code></summary><p>${prose(operation.summary)} ${
    operation.security.length > 0 ? 'Needs a session.' : 'Open to everybody.'
  }</p>${block('Input', table(input))}${block('Data', whole + (data === undefined ? '' : table(rowsOf(data))))}${block(
    'Codes besides 200',
    table(codeRows),
  )}${block('Example', exampleOf(form?.example) + exampleOf(answer?.example))}</details>`
}

function schemaHtml(name: string, schema: Schema): string {
  const type = schema.properties === undefined ? `<p>${typeOf(schema)}</p>` : ''
  return `<details id="${name}"><summary><code>${name}</code></summary><p>${prose(schema.description ?? '')}</p>${type}${table(rowsOf(schema))}</details>`
}

/** @param head what loads the style: an inline sheet, or a link to one */
export function openApiPage(head: string): string {
  const document = openApiDocument() as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<h2>${name}</h2><p>${prose(description)}</p>${own.map(({ path, method, operation }) => operationHtml(path, method, operation)).join('')}`
  })
  const about = document.info.description.split('\n\n').map((part) => `<p>${prose(part)}</p>`)
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaHtml(name, schema))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Candela API</title>${head}
<h1>Candela API</h1>${about.join('')}${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</html>`
}

export const pageStyle = `body { max-width: 860px; margin: 0 auto; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #17140f }
summary { padding: 10px 0; cursor: pointer } details { border-bottom: 1px solid #e8e3da } code, pre { font-size: 14px }
table { border-collapse: collapse; width: 100% } td { padding: 4px 8px 4px 0; vertical-align: top; border-top: 1px solid #e8e3da; overflow-wrap: anywhere }
td:first-child { width: 26% } td:nth-child(2):not(:last-child) { width: 20% } pre { overflow: auto; background: #f7f4ee; padding: 8px }`
