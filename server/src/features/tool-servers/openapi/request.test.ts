import { expect, test } from 'vitest'
import type { Operation, Parameter } from './operation.ts'
import { toRequest } from './request.ts'

const origin = 'https://api.example.org'
const parameter = (name: string, place: Parameter['in'], more: Partial<Parameter> = {}): Parameter => ({
  key: name,
  name,
  in: place,
  style: place === 'query' || place === 'cookie' ? 'form' : 'simple',
  explode: place === 'query',
  ...more,
})
const operation = (path: string, parameters: Parameter[] = [], more: Partial<Operation> = {}): Operation => ({
  method: 'get',
  base: '/v1',
  path,
  parameters,
  body: null,
  ...more,
})
const urlOf = (path: string, parameters: Parameter[], args: Record<string, unknown>) =>
  toRequest(origin, operation(path, parameters), args).url.slice(origin.length)

test.each([
  ['a b', '/v1/pets/a%20b'],
  ['a/b?c#d', '/v1/pets/a%2Fb%3Fc%23d'],
  ['{owner}', '/v1/pets/%7Bowner%7D'],
  ['${HOME}', '/v1/pets/%24%7BHOME%7D'],
  ['{{key}}', '/v1/pets/%7B%7Bkey%7D%7D'],
  ['@evil.example.org', '/v1/pets/%40evil.example.org'],
  ['\\\\evil', '/v1/pets/%5C%5Cevil'],
  ['%2e%2e', '/v1/pets/%252e%252e'],
  ['\r\nHost: evil', '/v1/pets/%0D%0AHost%3A%20evil'],
  ['\ud800', '/v1/pets/%EF%BF%BD'],
  [7, '/v1/pets/7'],
  [['a', 'b/c'], '/v1/pets/a,b%2Fc'],
])('a value in a path stays in its place: %j', (id, expected) => {
  expect(urlOf('/pets/{id}', [parameter('id', 'path')], { id })).toBe(expected)
})

test.each(['.', '..', '', null, undefined, []])('what would change a path is refused: %j', (id) => {
  const words = /change the address of the call|part of the path/
  expect(() => urlOf('/pets/{id}/toys', [parameter('id', 'path')], { id })).toThrow(words)
})

test('two values that make dots together are refused, and none is read as a place for the other', () => {
  const both = [parameter('a', 'path'), parameter('b', 'path')]
  expect(() => urlOf('/{a}{b}', both, { a: '.', b: '.' })).toThrow('change the address of the call')
  expect(urlOf('/{a}/{b}', both, { a: '{b}', b: 'x' })).toBe('/v1/%7Bb%7D/x')
})

test.each([
  [{}, ['a', 'b&c=d'], '?q=a&q=b%26c%3Dd'],
  [{ explode: false }, ['a', 'b,c'], '?q=a,b%2Cc'],
  [{ style: 'pipeDelimited', explode: false }, ['a', 'b'], '?q=a%7Cb'],
  [{}, { a: 1, 'b=': [2] }, '?a=1&b%3D=%5B2%5D'],
  [{ style: 'deepObject' }, { a: 1, b: ['x', 'y'] }, '?q%5Ba%5D=1&q%5Bb%5D=x&q%5Bb%5D=y'],
  [{ style: 'json' }, { a: [1] }, '?q=%7B%22a%22%3A%5B1%5D%7D'],
  [{}, '#x', '?q=%23x'],
  [{}, false, '?q=false'],
  [{}, null, ''],
] as const)('values of a query are written as %j says: %j', (more, q, expected) => {
  expect(urlOf('/pets', [parameter('q', 'query', more)], { q })).toBe(`/v1/pets${expected}`)
})

test('what is no argument of its own is not sent, also where every object has it', () => {
  expect(urlOf('/pets', [parameter('constructor', 'query'), parameter('q', 'query')], { other: 1 })).toBe('/v1/pets')
})

test('headers and cookies carry values, and nothing that ends them', () => {
  const parameters = [parameter('X-Tag', 'header'), parameter('session', 'cookie')]
  const { headers } = toRequest(origin, operation('/pets', parameters), { 'X-Tag': ['a', 'b'], session: 'x; admin=1' })
  expect(headers).toMatchObject({ 'x-tag': 'a,b', cookie: 'session=x%3B%20admin%3D1' })
  for (const value of ['a\r\nEvil: 1', 'a\nb', 'a\0b', 'é'])
    expect(() => toRequest(origin, operation('/pets', parameters), { 'X-Tag': value })).toThrow(
      'aren’t allowed in a header',
    )
})

const body = (kind: 'json' | 'form' | 'multipart' | 'text', files: string[] = []) => ({
  method: 'post' as const,
  body: { key: 'body', kind, mediaType: kind === 'json' ? 'application/json' : `x/${kind}`, files },
})
const sent = (more: Partial<Operation>, value: unknown) => {
  const request = toRequest(origin, operation('/pets', [], more), { body: value })
  return [request.headers['content-type'], request.body === null ? null : Buffer.from(request.body).toString()]
}

test('bodies are written as their kind says', () => {
  expect(sent(body('json'), { a: '${x}' })).toEqual(['application/json', '{"a":"${x}"}'])
  expect(sent(body('form'), { a: 'x&y', b: [1, 2], c: { d: 1 }, e: null })).toEqual([
    'x/form',
    'a=x%26y&b=1&b=2&c=%7B%22d%22%3A1%7D',
  ])
  expect(sent(body('text'), 'plain')).toEqual(['x/text', 'plain'])
  expect(sent(body('json'), undefined)).toEqual([undefined, null])
  expect(() => sent(body('form'), 'no object')).toThrow('must be an object')
})

test('a form in parts cannot be left by what stands in it', async () => {
  const name = 'a"\r\nevil: 1'
  const [type, text] = sent(body('multipart', ['photo']), { [name]: '--x\r\n', photo: 'aGk=', tags: ['a', 'b'] })
  const form = await new Response(text, { headers: { 'content-type': String(type) } }).formData()
  expect([...form.keys()]).toEqual(['a"\r\nevil: 1', 'photo', 'tags', 'tags'])
  expect(await (form.get('photo') as File).text()).toBe('hi')
  expect(() => sent(body('multipart', ['photo']), { photo: 'no base64!' })).toThrow('base64')
})
