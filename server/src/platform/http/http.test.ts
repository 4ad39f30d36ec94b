import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemType } from './problem.ts'
import { type Sample, startSample, things } from '../../testing/http-sample.ts'
import { typeThatNeverRuns } from './bytes.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.stop())

const problem = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe(problemType)
  return (await response.json()) as {
    code: string
    status: number
    detail: string
    requestId: string
    errors?: unknown
  }
}
const send = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => sample.ann.raw('/api/things', { method: 'POST', body, headers })

test('a guest is turned away before anything is said about the input', async () => {
  expect(await sample.guest.refusal(things.create, { body: { title: '' } })).toMatchObject({ status: 401 })
  expect(await sample.guest.refusal(things.read, { params: { id: 'x' } })).toMatchObject({ code: 'unauthenticated' })
})

test('an account that may not come in hears why, and is a guest on public routes', async () => {
  const frozen = sample.guest.as('frozen')
  expect(await frozen.refusal(things.list, {})).toMatchObject({ status: 403, code: 'account_disabled' })
  expect(await frozen.call(things.hello, {})).toMatchObject({ who: null })
})

test('only administrators pass an administrator’s door', async () => {
  expect(await sample.ann.refusal(things.remove, { params: { id: '1' } })).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
  expect(await sample.admin.call(things.remove, { params: { id: '1' } })).toEqual({})
})

test('checked input reaches the handler, with defaults', async () => {
  expect(await sample.ann.call(things.list, {})).toEqual({ limit: 3 })
  expect(await sample.ann.call(things.list, { query: { limit: 5 } })).toEqual({ limit: 5 })
  expect(await sample.ann.call(things.create, { body: { title: 'Größe' } })).toEqual({ id: '1', title: 'Größe' })
})

test('every fault of the input is named by its path', async () => {
  const response = await send(JSON.stringify({ title: '', tags: ['a', 3], extra: 1 }))
  expect(response.status).toBe(400)
  const { code, errors } = await problem(response)
  expect(code).toBe('validation_failed')
  expect((errors as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    'body.extra',
    'body.tags.1',
    'body.title',
  ])
  const query = await sample.ann.refusal(things.list, { query: { limit: 100 } })
  expect(query.problem.errors?.[0]?.path).toBe('query.limit')
})

test.each([
  ['broken JSON', '{"title":', 400],
  ['a bare word', 'nonsense', 400],
  ['an array', '[]', 400],
  ['null', 'null', 400],
  ['nothing', '', 400],
  ['a key that reaches into prototypes', '{"title":"x","__proto__":{"admin":true}}', 400],
  ['U+0000', '{"title":"a\\u0000b"}', 400],
])('a body of %s is refused', async (_, body, status) => {
  const response = await send(body)
  expect(response.status).toBe(status)
  expect((await problem(response)).code).toBe('validation_failed')
})

test('an escaped backslash before u0000 is ordinary text', async () => {
  const response = await send('{"title":"a\\\\u0000b"}')
  expect(await response.json()).toEqual({ id: '1', title: 'a\\u0000b' })
})

test('a body that is not UTF-8 is refused', async () => {
  const response = await send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
  expect(response.status).toBe(400)
})

test('another content type is refused with 415, a body that is too large with 413', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ';;']) {
    const response = await send('{"title":"x"}', { 'content-type': type })
    expect([response.status, (await problem(response)).code]).toEqual([415, 'unsupported_media_type'])
  }
  const large = await send(JSON.stringify({ title: 'x'.repeat(3_000_000) }))
  expect([large.status, (await problem(large)).code]).toEqual([413, 'too_large'])
})

test('a body is refused where none is taken, and an empty one is fine', async () => {
  const headers = { 'content-type': 'application/json' }
  expect((await sample.ann.raw('/api/start', { method: 'POST', body: '{"a":1}', headers })).status).toBe(400)
  expect((await sample.ann.raw('/api/start', { method: 'POST', body: '{}', headers })).status).toBe(202)
  expect((await sample.ann.raw('/api/start', { method: 'POST', body: '', headers })).status).toBe(202)
  expect((await sample.ann.raw('/api/start', { method: 'POST' })).status).toBe(202)
})

test.each([
  ['U+0000', '/api/things/%00'],
  ['a broken escape', '/api/things/%zz'],
  ['an escape that is no UTF-8', '/api/things/%c3%28'],
  ['a long part', `/api/things/${'x'.repeat(300)}`],
  ['a very long part', `/api/things/${'x'.repeat(2000)}`],
  ['an empty part', '/api/things/'],
])('an address with %s is refused with 400', async (_, path) => {
  const response = await sample.ann.raw(path)
  expect(response.status).toBe(400)
  expect((await problem(response)).code).toBe('validation_failed')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
})

test('repeated query fields are refused where one is meant', async () => {
  expect((await sample.ann.raw('/api/things?limit=1&limit=2')).status).toBe(400)
  expect((await sample.ann.raw('/api/things?__proto__=1')).status).toBe(400)
})

test('a refusal of a handler is told, a bug is not: it is logged once with the request id', async () => {
  expect(await sample.ann.refusal(things.read, { params: { id: '2' } })).toMatchObject({ status: 404 })
  const response = await sample.guest.raw('/api/crash', { headers: { 'x-request-id': 'my.request-0001' } })
  const body = await problem(response)
  expect(body).toMatchObject({ status: 500, code: 'internal', requestId: 'my.request-0001' })
  expect(JSON.stringify(body)).not.toContain('internal words')
  const logged = sample.lines.filter(
    (line) => JSON.stringify(line).includes('my.request-0001') && line.level === 'error',
  )
  expect(logged).toHaveLength(1)
})

test('an answer that does not fit its schema does not leave the server', async () => {
  const response = await sample.guest.raw('/api/leak')
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('passwordHash')
})

test('a usable request id is kept, any other is replaced', async () => {
  const kept = await sample.guest.raw('/api/hello', { headers: { 'x-request-id': 'a.b-c_d.12' } })
  expect(kept.headers.get('x-request-id')).toBe('a.b-c_d.12')
  for (const id of ['short', 'x'.repeat(65), 'has space 123', 'semi;colon1']) {
    const response = await sample.guest.raw('/api/hello', { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^made-id-/)
  }
})

test('every answer carries the security headers', async () => {
  for (const path of ['/api/hello', '/api/things', '/api/nothing', '/', '/api/crash']) {
    const { headers } = await sample.guest.raw(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('strict-transport-security')).toBeNull()
  }
})

test('an unknown path is 404, a known one with another method 405', async () => {
  for (const path of ['/api/nothing', '/health/nothing', '/v1/nothing', '/api', '/api/start/']) {
    const response = await sample.ann.raw(path)
    expect([response.status, (await problem(response)).code]).toEqual([404, 'route_not_found'])
  }
  const response = await sample.ann.raw('/api/things/1', { method: 'PATCH' })
  expect([response.status, (await problem(response)).code]).toEqual([405, 'method_not_allowed'])
  expect(response.headers.get('allow')).toBe('GET, HEAD, DELETE')
  expect((await sample.ann.raw('/somewhere', { method: 'POST', body: 'x' })).status).toBe(405)
})

test('HEAD answers like GET without a body, but never opens a stream', async () => {
  const response = await sample.ann.raw('/api/things', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect((await sample.ann.raw('/api/ticks', { method: 'HEAD' })).status).toBe(405)
})

test('answers of accounts are never cached', async () => {
  expect((await sample.ann.raw('/api/things')).headers.get('cache-control')).toBe('no-store')
})

test('an upload arrives with its type and its size', async () => {
  const file = new Blob(['x'.repeat(1000)], { type: 'text/markdown; charset=utf-8' })
  expect(await sample.ann.call(things.send, { query: { name: 'a.md' }, file })).toEqual({
    name: 'a.md',
    type: 'text/markdown',
    size: 1000,
  })
})

test('an upload over its limit is refused, declared or not', async () => {
  const file = new Blob(['x'.repeat(1001)])
  expect(await sample.ann.refusal(things.send, { query: { name: 'a' }, file })).toMatchObject({ code: 'too_large' })
  const large = new Blob(['x'.repeat(20_000_000)])
  expect(await sample.ann.refusal(things.send, { query: { name: 'a' }, file: large })).toMatchObject({ status: 413 })
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(600)),
  })
  const response = await sample.ann.raw('/api/files?name=a', { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(response.status).toBe(413)
})

test.each([
  ['text/html', true],
  ['TEXT/HTML; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['image/svg+xml', true],
  ['text/xml', true],
  ['application/javascript', true],
  ['text/ecmascript', true],
  ['message/rfc822', true],
  ['multipart/related', true],
  ['text/plain; charset=utf-8', false],
  ['application/pdf', false],
  ['application/json', false],
  ['image/png', false],
  ['audio/mpeg', false],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', false],
])('a file of the type %s is given as something that only is saved: %s', (mediaType, saved) => {
  expect(typeThatNeverRuns(mediaType)).toBe(saved ? 'application/octet-stream' : mediaType)
})

test('bytes come with a type that is not guessed, a safe name, and nothing in them may run', async () => {
  const response = await sample.ann.raw(`/api/files/${encodeURIComponent('naïve "x"\r\n€.html')}`)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="na_ve _x____.html"; filename*=UTF-8''na%C3%AFve%20_x___%E2%82%AC.html`,
  )
  const etag = response.headers.get('etag') as string
  expect((await sample.ann.raw('/api/files/x', { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('a cookie is not readable by scripts, stays on this site, and comes back as it was', async () => {
  const response = await sample.guest.raw('/api/enter', { method: 'POST' })
  const text = response.headers.get('set-cookie') as string
  expect(text).toBe('pass=ann%3B%20x; Path=/; HttpOnly; SameSite=Strict; Expires=Sun, 17 Mar 2030 17:46:40 GMT')
})

test('a change that leans on a cookie must come from our own pages', async () => {
  const start = (headers: Record<string, string>) =>
    sample.guest.raw('/api/start', { method: 'POST', headers: { cookie: 'a=b; pass=ann', ...headers } })
  const own = new URL(sample.url).host
  expect((await start({ 'sec-fetch-site': 'same-origin' })).status).toBe(202)
  expect((await start({ origin: `http://${own}` })).status).toBe(202)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://${own}.evil.example` },
  ]) {
    const response = await start(headers as Record<string, string>)
    expect([response.status, (await problem(response)).code]).toEqual([403, 'cross_origin'])
  }
  const reading = await sample.guest.raw('/api/things', {
    headers: { cookie: 'pass=ann', 'sec-fetch-site': 'cross-site' },
  })
  expect(reading.status).toBe(200)
})
