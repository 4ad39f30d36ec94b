import { expect, test } from 'vitest'
import { readOperations } from './read-operations.ts'

const baseUrl = 'https://api.example.org/v1'
const read = (document: unknown, more: object = {}) =>
  readOperations({
    text: typeof document === 'string' ? document : JSON.stringify(document),
    baseUrl,
    isAtBase: false,
    ...more,
  })
const toolsOf = (document: unknown, more?: object) => {
  const found = read(document, more)
  if ('fault' in found) throw new Error(found.fault)
  return found.tools
}
const faultOf = (document: unknown, more?: object) => {
  const found = read(document, more)
  return 'fault' in found ? found.fault : null
}
const at = (path: string, item: object, more: object = {}) => ({ openapi: '3.1.0', paths: { [path]: item }, ...more })
const posting = (schema: unknown, more: object = {}) =>
  at('/things', { post: { operationId: 'add', requestBody: { content: { 'application/json': { schema } } } } }, more)

const pets = `
openapi: 3.0.3
info: { title: Pets, version: '1' }
servers: [{ url: /v1 }]
paths:
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getPet
      summary: Reads a pet
      parameters:
        - $ref: '#/components/parameters/Fields'
        - { name: Accept, in: header, schema: { type: string } }
    put:
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Pet' }
components:
  parameters:
    Fields: { name: 'fields[]', in: query, schema: { type: array, items: { type: string } } }
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, nullable: true, example: Rex }
        age: { type: integer, minimum: 0, exclusiveMinimum: true }
`

test('makes a tool of each operation, from YAML and JSON, by OpenAPI 3.0 and 3.1', () => {
  const [get, put] = toolsOf(pets)
  expect(get).toMatchObject({
    name: 'getPet',
    description: 'Reads a pet\nGET /pets/{petId}',
    claimsReadOnly: true,
    inputSchema: {
      properties: { petId: { type: 'integer' }, fields_: { type: 'array', items: { type: 'string' } } },
      required: ['petId'],
      additionalProperties: false,
    },
    call: { method: 'get', base: '/v1', path: '/pets/{petId}' },
  })
  expect(put).toMatchObject({ name: 'put_pets_petId', claimsReadOnly: false })
  expect(put?.inputSchema).toEqual({
    type: 'object',
    properties: {
      petId: { type: 'integer' },
      body: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: ['string', 'null'] }, age: { type: 'integer', exclusiveMinimum: 0 } },
      },
    },
    required: ['petId', 'body'],
    additionalProperties: false,
  })
  expect(read(pets)).toMatchObject({ revision: 'OpenAPI 3.0.3' })
  const byRef = posting(
    { $ref: '#/components/schemas/A', description: 'Mine' },
    { components: { schemas: { A: { type: 'string' } } } },
  )
  expect(toolsOf(byRef)[0]?.inputSchema).toMatchObject({
    properties: { body: { type: 'string', description: 'Mine' } },
  })
})

test('says of a document that is none, or of another kind, what it is', () => {
  for (const [text, words] of [
    ['', 'isn’t an OpenAPI document'],
    ['{"openapi"', 'isn’t valid JSON or YAML'],
    ['a: &a [*a]', 'isn’t valid JSON or YAML'],
    [{ swagger: '2.0', paths: {} }, 'Swagger 2.0'],
    [{ openapi: '4.0.0', paths: {} }, '3.0 or 3.1'],
    [{ openapi: '3.1.0', paths: {} }, 'no operation'],
    ['x'.repeat(1_000_001), 'larger than 1 MB'],
    ['['.repeat(100_000), ''],
  ] as const)
    expect(faultOf(text), String(words)).toContain(words)
  const laughs = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (let n = 0; n < 9; n += 1)
    laughs.push(`${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${Array(9).fill(`*${'abcdefghi'[n]}`).join(',')}]`)
  expect(faultOf(laughs.join('\n'))).toContain('isn’t valid')
})

test('takes the server that a document names only where that is at the same place', () => {
  const document = (url: string) => ({ ...at('/a', { get: {} }), servers: [{ url }] })
  const baseOf = (url: string) =>
    String((toolsOf(document(url), { isAtBase: true })[0]?.call as { base?: string } | undefined)?.base)
  expect([baseOf('/v2/'), baseOf('https://api.example.org/v3'), baseOf('')]).toEqual(['/v2', '/v3', ''])
  expect(faultOf(document('https://evil.example.org/'), { isAtBase: true })).toContain('another address')
  // Whatever it says: the address that was registered counts.
  expect(toolsOf(document('https://evil.example.org/'))[0]?.call).toMatchObject({ base: '/v1' })
  // Letters, and no places to fill.
  expect(baseOf('https://${HOST}/{{base}}')).toBe('')
})

test.each([
  ['outside-reference', { $ref: 'https://example.org/s.json' }, {}],
  ['outside-reference', { $ref: 'other.yaml#/Pet' }, {}],
  [
    'circular-reference',
    { $ref: '#/components/schemas/A' },
    { A: { properties: { a: { $ref: '#/components/schemas/A' } } } },
  ],
  [
    'circular-reference',
    { $ref: '#/components/schemas/A' },
    { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
  ],
  ['bad-schema', { $ref: '#/components/schemas/None' }, {}],
  ['bad-schema', { $ref: '#/__proto__/constructor' }, {}],
  ['bad-schema', 'a text', {}],
  ['unsupported', { $dynamicRef: '#a' }, {}],
  [
    'too-large',
    { $ref: '#/components/schemas/S0' },
    Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`S${n}`, { items: { $ref: `#/components/schemas/S${n + 1}` } }]),
    ),
  ],
  [
    // Each twice as large as the next.
    'too-large',
    { allOf: Array(60).fill({ $ref: '#/components/schemas/S0' }) },
    Object.fromEntries([
      ...Array.from({ length: 6 }, (_, n) => [
        `S${n}`,
        { allOf: Array(9).fill({ $ref: `#/components/schemas/S${n + 1}` }) },
      ]),
      ['S6', { type: 'string' }],
    ]),
  ],
])('leaves an operation out for a reason: %s %j', (reason, schema, schemas) => {
  const document = posting(schema, { components: { schemas } })
  const both = { ...document, paths: { ...document.paths, '/fine': { get: { operationId: 'fine' } } } }
  expect(toolsOf(both)).toMatchObject([{ name: 'add', fault: reason, inputSchema: null }, { name: 'fine' }])
})

test.each([
  '/../admin',
  '/a/%2e%2e/admin',
  '/a?x=1',
  '/a#b',
  '//evil.example.org/a',
  '/a\\b',
  '/{{secret}}',
  '/${HOME}/{id}',
  'a',
  '/{id}',
  `/${'a'.repeat(3000)}`,
])('leaves out a path that means something else than it says: %s', (path) => {
  expect(toolsOf(at(path, { get: {} }))).toMatchObject([{ fault: 'unsupported' }])
})

test('gives arguments names that are unique and that models can write', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true },
    { name: 'id', in: 'query' },
    { name: 'body', in: 'query' },
    { name: 'filter[größe]', in: 'query' },
    { name: '__proto__', in: 'query' },
  ]
  const requestBody = { content: { 'multipart/form-data': { schema: { properties: { file: { format: 'binary' } } } } } }
  const [tool] = toolsOf(at('/a/{id}', { post: { parameters, requestBody } }))
  const { properties = {} } = (tool?.inputSchema ?? {}) as { properties?: Record<string, object> }
  expect(Object.keys(properties)).toEqual(['id', 'query_id', 'body', 'filter_gr_e_', 'query___proto__', 'request_body'])
  expect(properties['request_body']).toMatchObject({ properties: { file: { description: '(a file, as base64)' } } })
})

test('passes over headers that are not an operation’s to set, and leaves out what needs them', () => {
  const header = (name: string, required: boolean) =>
    toolsOf(at('/a', { get: { parameters: [{ name, in: 'header', required }] } }))
  expect(header('Authorization', true)[0]?.inputSchema).toMatchObject({ properties: {} })
  expect(header('Host', false)[0]?.inputSchema).toMatchObject({ properties: {} })
  for (const name of ['Host', 'Cookie', 'Content-Length', 'X\r\nEvil', 'Transfer-Encoding'])
    expect(header(name, true), name).toMatchObject([{ fault: 'unsupported' }])
})

test('reads a large document, and no more operations than can be told', () => {
  const paths = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`/p${n}`, { get: {} }]))
  expect(toolsOf({ openapi: '3.1.0', paths }).length).toBe(256)
})
