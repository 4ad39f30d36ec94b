/** The interface as an OpenAPI 3.1 document, made from the same values as the server. */
import type { Route, RouteTable } from '@atrium/contract/route'
import { scopesOf } from '@atrium/contract/scopes'
import { z } from 'zod'
import { loadPackage } from '../load-package.ts'
import { jsonTypeOf } from './dialects.ts'
import { type Refusals, createRefusals, refusalShapes } from './openapi-refusals.ts'

export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly sessionCookie: string
  /** Shapes that get a name of their own in the document, by that name. */
  readonly shapes?: Readonly<Record<string, z.ZodType>>
}

export type OpenApiDocument = Record<string, unknown>

/** Describes every route of the tables. Pure: the same tables give the same document. */
export const openApiDocument = (
  tables: Readonly<Record<string, RouteTable>>,
  options: OpenApiOptions,
): OpenApiDocument => {
  const steps = openApiSteps(tables, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same, in steps of one route, for whoever must not be held up; the last value is the document. */
export function* openApiSteps(
  tables: Readonly<Record<string, RouteTable>>,
  options: OpenApiOptions,
): Generator<void, OpenApiDocument> {
  const shapes = createShapes({ ...options.shapes, ...refusalShapes })
  // Every refusal points at these by name, so they are described first and keep their plain names.
  for (const shape of Object.values(refusalShapes)) shapes.of(shape, 'output')
  const refusals = createRefusals()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, table] of Object.entries(tables)) {
    for (const [name, route] of Object.entries(table)) {
      const methods = (paths[route.path] ??= {})
      methods[route.method] = describeRoute(tag, name, route, { shapes, refusals })
      yield
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.keys(tables).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
        token: { type: 'http', scheme: 'bearer', description: 'An API token, with the scopes that are named.' },
        directory: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token that an administrator created for a directory.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: options.sessionCookie,
          description: `By https it is called \`__Host-${options.sessionCookie}\`.`,
        },
      },
      schemas: shapes.named(),
      responses: refusals.named(),
    },
  }
}

interface Shapes {
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  named(): Record<string, JsonSchema>
}
type JsonSchema = Record<string, unknown>

/** Turns schemas into JSON Schema; named ones are put aside once and pointed at. */
const createShapes = (known: Readonly<Record<string, z.ZodType>>): Shapes => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(known)) registry.add(schema, { id })
  const found = new Map<string, JsonSchema>()
  return {
    of(schema, io) {
      const json = z.toJSONSchema(schema, {
        io,
        metadata: registry,
        unrepresentable: 'any',
        override: simplify,
      }) as JsonSchema
      const { $defs, $schema: _, ...own } = json
      const names = new Map<string, string>()
      for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
        const text = JSON.stringify(definition)
        // What is sent and what is answered can differ (defaults); the second form gets a name of its own.
        const taken = found.get(id)
        const name = taken === undefined || JSON.stringify(taken) === text ? id : `${id}-${io}`
        names.set(id, name)
        found.set(name, definition)
      }
      return pointAt(own, names) as JsonSchema
    },
    named: () => {
      const names = new Map([...found.keys()].map((name) => [name, name]))
      const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
      return Object.fromEntries(sorted.map(([name, schema]) => [name, pointAt(withoutId(schema), names) as JsonSchema]))
    },
  }
}

/** Says the same in the words that generators of clients understand. */
const simplify = ({ jsonSchema: schema }: { readonly jsonSchema: JsonSchema }): void => {
  // A union that has one member for now.
  const { oneOf, propertyNames } = schema as { readonly oneOf?: readonly object[]; readonly propertyNames?: JsonSchema }
  if (oneOf?.length === 1) {
    delete schema['oneOf']
    Object.assign(schema, oneOf[0])
  }
  // An object that has a member for each word of a list.
  const words = propertyNames?.['enum']
  if (!Array.isArray(words) || schema['required'] === undefined) return
  schema['properties'] = Object.fromEntries(words.map((word) => [word, schema['additionalProperties']]))
  schema['additionalProperties'] = false
  delete schema['propertyNames']
}

const withoutId = ({ id: _, ...schema }: JsonSchema): JsonSchema => schema

const pointAt = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => pointAt(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const id = key === '$ref' && typeof item === 'string' ? /^#\/\$defs\/(.+)$/.exec(item)?.[1] : undefined
      return [key, id === undefined ? pointAt(item, names) : `#/components/schemas/${names.get(id) ?? id}`]
    }),
  )
}

interface Components {
  readonly shapes: Shapes
  readonly refusals: Refusals
}

const describeRoute = (tag: string, name: string, route: Route, { shapes, refusals }: Components): JsonSchema => ({
  operationId: `${tag}.${name}`,
  tags: [tag],
  summary: route.summary,
  ...whoMay(scopesOf(tag, route), route),
  parameters: [
    ...parameters('path', route.params, shapes),
    ...parameters('query', route.query, shapes),
    ...(route.stream ? [lastEventId] : []),
  ],
  ...requestBody(route, shapes),
  responses: { [statusOf(route)]: success(route, shapes), ...refusals.of(route) },
})

/** The scopes are those that an API token needs; a session needs none. */
const whoMay = (scopes: readonly string[] | null, { access, proof }: Route): JsonSchema => {
  if (access === 'public') return { security: [] }
  if (access === 'scim') return { security: [{ directory: [] }] }
  const words = [
    ...(access === 'admin' ? ['For administrators.'] : []),
    ...(scopes === null ? ['Not for API tokens.'] : []),
    ...(proof === true ? ['A session needs a fresh proof.'] : []),
    ...(scopes?.length ? [`Scope of an API token: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`] : []),
  ]
  return {
    ...(words.length > 0 ? { description: words.join(' ') } : {}),
    security: [...(scopes === null ? [] : [{ token: scopes }]), { bearer: [] }, { cookie: [] }],
  }
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Continue after this event.',
  schema: { type: 'integer', minimum: 0 },
}

const parameters = (place: 'path' | 'query', schema: z.ZodObject | undefined, shapes: Shapes): JsonSchema[] => {
  if (!schema) return []
  // Extending gives a shape without a name, so that the fields stand here and not a pointer to a named shape.
  const { properties, required } = shapes.of(schema.extend({}), 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

const requestBody = (route: Route, shapes: Shapes): JsonSchema => {
  if (route.upload?.form) {
    const { properties, ...form } = shapes.of(route.upload.form.extend({}), 'input')
    const file = { type: 'string', contentMediaType: 'application/octet-stream' }
    const schema = { ...form, properties: { ...(properties as object), file } }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (route.upload) {
    const description = `One file, sent raw, of at most ${route.upload.maxBytes} bytes.`
    return { requestBody: { required: true, description, content: { '*/*': { schema: {} } } } }
  }
  if (!route.body) return {}
  const schema = shapes.of(route.body, 'input')
  return {
    requestBody: { required: !route.body.safeParse({}).success, content: { [jsonTypeOf(route.dialect)]: { schema } } },
  }
}

const statusOf = ({ returns, status }: Route): number => (returns === 'redirect' ? 302 : (status ?? 200))

const success = (route: Route, shapes: Shapes): JsonSchema => {
  if (route.stream) {
    const description =
      'Server-sent events: `id` is the place in the log, `event` the type, `data` the JSON of the data below.'
    const stream = { 'text/event-stream': { schema: shapes.of(route.stream, 'output') } }
    if (!route.streamOnRequest || !(route.returns instanceof z.ZodType)) return { description, content: stream }
    const whole = { 'application/json': { schema: shapes.of(route.returns, 'output') } }
    return { description: `JSON, or where it is asked for: ${description}`, content: { ...whole, ...stream } }
  }
  if (route.returns === 'bytes') return { description: 'The content.', content: { '*/*': { schema: {} } } }
  if (route.returns === 'redirect') {
    const headers = { Location: { description: 'Where to go on.', schema: { type: 'string' } } }
    return { description: loadPackage('node:http').STATUS_CODES[302], headers }
  }
  const schema = shapes.of(route.returns, 'output')
  const description = loadPackage('node:http').STATUS_CODES[route.status ?? 200]
  if (!route.dialect) return { description, content: { 'application/json': { schema } } }
  const others = (route.mediaTypes ?? []).map((type) => [type, { schema: {} }])
  return { description, content: { [jsonTypeOf(route.dialect)]: { schema }, ...Object.fromEntries(others) } }
}
