import { expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { createInterface, interfaceDocument } from './interface.ts'
import { jsonTypeOf } from '../platform/http/dialects.ts'

const document = interfaceDocument() as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; responses: Record<string, Response> }
}
interface Response {
  description: string
  content: Record<string, unknown>
}
interface Operation {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, Response | { $ref: string }>
}

/** A response of an operation, also where it is one that several share. */
const responseOf = (operation: Operation | undefined, status: string): Response | undefined => {
  const response = operation?.responses[status]
  if (!response || !('$ref' in response)) return response
  return document.components.responses[response.$ref.replace(/^.*\//, '')]
}

const dialects = new Map(
  Object.entries(routesByTag).flatMap(([area, table]) =>
    Object.entries(table).map(([name, { dialect }]) => [`${area}.${name}`, dialect]),
  ),
)

test('every route is described once, with its doors and what it refuses', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const routes = Object.values(routesByTag).flatMap((table) => Object.keys(table))
  expect(operations).toHaveLength(routes.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  for (const operation of operations) {
    const { operationId, responses } = operation
    expect(
      Object.keys(responses).some((status) => /^[23]/.test(status)),
      operationId,
    ).toBe(true)
    const dialect = dialects.get(operationId)
    const refusals = dialect ? jsonTypeOf(dialect) : 'application/problem+json'
    for (const status of Object.keys(responses))
      if (Number(status) >= 400)
        expect(Object.keys(responseOf(operation, status)?.content ?? {}), operationId).toEqual([refusals])
  }
})

test('refusals stand once, and routes with the same codes share them', () => {
  const { responses } = document.components
  expect(new Set(Object.values(responses).map((response) => JSON.stringify(response))).size).toBe(
    Object.keys(responses).length,
  )
  expect(document.paths['/api/chat/sessions/{sessionId}']?.['get']?.responses['404']).toEqual({
    $ref: '#/components/responses/chat_not_found',
  })
})

test('streams, uploads and bytes are told apart from JSON', () => {
  const sessions = '/api/chat/sessions/{sessionId}'
  const stream = document.paths[`${sessions}/events`]?.['get']
  expect(Object.keys(responseOf(stream, '200')?.content ?? {})).toEqual(['text/event-stream'])
  expect(stream?.parameters.map(({ name, in: place }) => `${place} ${name}`)).toContain('header Last-Event-ID')
  const upload = document.paths['/api/chat/attachments']?.['post']
  expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual(['*/*'])
  expect(responseOf(upload, '413')?.description).toContain('too_large')
  const started = document.paths[`${sessions}/generations`]?.['post']
  expect(started?.responses).toHaveProperty('202')
  expect(document.paths['/api/auth/login']?.['post']?.security).toEqual([])
})

test('whatever is pointed at is there', () => {
  const names = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(names.length).toBeGreaterThan(50)
  for (const name of names) expect(document).toHaveProperty(name.replace(/^#\//, '').split('/'))
})

test('no shape is only a pointer to itself or to another one that points back', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect(Object.keys(schema as object), name).not.toContain('$ref')
  }
  for (const name of ['Problem', 'ScimError', 'OpenaiError', 'AnthropicError'])
    expect(document.components.schemas[name], name).toMatchObject({ type: 'object', properties: expect.anything() })
})

test('every field of a query is a parameter, also where the whole query has a name', () => {
  const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
    Object.entries(table).map(([name, route]) => [`${area}.${name}`, route] as const),
  )
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation.parameters]),
  )
  for (const [id, { query, params }] of routes)
    for (const name of Object.keys({ ...query?.shape, ...params?.shape }))
      expect(
        operations.get(id)?.map((parameter) => parameter.name),
        id,
      ).toContain(name)
})

test('the document made in slices is the same, and no slice holds others up', async () => {
  // Processor time of this thread, which other programs do not prolong.
  const now = () => process.threadCpuUsage().user / 1000
  let longest = 0
  let last = now()
  const timer = setInterval(() => {
    longest = Math.max(longest, now() - last)
    last = now()
  }, 1)
  expect(await createInterface()()).toEqual(document)
  clearInterval(timer)
  expect(longest).toBeLessThan(100)
})
