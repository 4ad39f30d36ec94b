import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { bytes as asBytes, routes } from '@atrium/contract/route'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { type Sample, startSample } from '../../testing/http-sample.ts'
import { createFiles } from '../files/files.ts'
import { type FileTables, fileMigrations } from '../files/tables.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { bindRoutes, type BytesAnswer } from './area.ts'
import { contentDisposition, mediaPolicy, safeFileName } from './headers.ts'
import type { HttpOptions } from './options.ts'
import { readRange } from './ranges.ts'
import { fail } from './refusal.ts'

const films = routes({
  watch: {
    method: 'get',
    path: '/api/films/{id}',
    names: 'instance',
    access: 'user',
    summary: 'A film',
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ download: z.literal('1').optional() }),
    returns: asBytes,
  },
})

/** Serves what `bodyOf` gives, as a film. */
const serve = async (
  bodyOf: (id: string) => Promise<BytesAnswer['body'] | null>,
  options: Partial<HttpOptions> = {},
) => {
  const area = bindRoutes({
    name: 'films',
    routes: films,
    handlers: {
      watch: async ({ params, query }) => {
        const body = await bodyOf(params.id)
        if (!body) throw fail('folder_not_found')
        return {
          body,
          mediaType: 'video/mp4',
          fileName: 'Urlaub: „am Meer“ / 2026.mp4',
          disposition: query.download === '1' ? ('attachment' as const) : ('inline' as const),
          policy: mediaPolicy,
        }
      },
    },
  })
  const sample = await startSample({ areas: [area], ...options })
  onTestFinished(() => sample.stop(0))
  return sample
}
const ask = (sample: Sample, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  sample.ann.raw(`/api/films/${id}`, { headers, method })

const chunk = 256 * 1024 - 64

onBothDatabases('a film in the files', (open: Open) => {
  const begin = async (length: number, options: Partial<HttpOptions> = {}) => {
    const database = await open([...vaultMigrations, ...fileMigrations])
    const clock = testClock()
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
    const files = createFiles({ database, vault, clock })
    const film = randomBytes(length)
    const pieces = (async function* () {
      yield film
    })()
    const { id } = await files.saveStream('ann', pieces, { maxBytes: length })
    return { database, film, id, sample: await serve((wanted) => files.open('ann', wanted), options) }
  }

  test('is given whole, in ranges, and as its head', async () => {
    const { film, id, sample } = await begin(3 * chunk + 5)
    const whole = await ask(sample, id)
    expect(whole.status).toBe(200)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(film.length),
      'content-type': 'video/mp4',
      etag: `"${id}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    })
    expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), film)).toBe(0)

    const head = await ask(sample, id, { range: 'bytes=5-9' }, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(film.length)])
    expect((await head.arrayBuffer()).byteLength).toBe(0)

    for (const [range, start, end] of [
      ['bytes=0-', 0, film.length],
      [`bytes=${chunk - 1}-${chunk}`, chunk - 1, chunk + 1],
      ['bytes=-7', film.length - 7, film.length],
      ['bytes=9-99999999999999999999', 9, film.length],
    ] as const) {
      const part = await ask(sample, id, { range })
      expect([part.status, part.headers.get('content-range')], range).toEqual([
        206,
        `bytes ${start}-${end - 1}/${film.length}`,
      ])
      expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), film.subarray(start, end)), range).toBe(0)
    }
    for (const range of ['bytes=9-5', 'bytes=0-1,5-6', 'lines=1-2'])
      expect((await ask(sample, id, { range })).status, range).toBe(200)
    for (const range of [`bytes=${film.length}-`, 'bytes=-0']) {
      const refused = await ask(sample, id, { range })
      expect([refused.status, refused.headers.get('content-range')]).toEqual([416, `bytes */${film.length}`])
      expect(await refused.json()).toMatchObject({ code: 'range_not_satisfiable' })
    }
    expect((await ask(sample, 'none')).status).toBe(404)
  })

  test('is gone on with only where it is still the same', async () => {
    const { id, sample } = await begin(100)
    const statusOf = async (headers: Record<string, string>) => (await ask(sample, id, headers)).status
    const range = 'bytes=5-'
    expect(await statusOf({ range, 'if-range': `"${id}"` })).toBe(206)
    expect(await statusOf({ range, 'if-range': '"another"' })).toBe(200)
    expect(await statusOf({ range, 'if-range': `W/"${id}"` })).toBe(200)
    expect(await statusOf({ range, 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' })).toBe(200)
    for (const known of [`"${id}"`, `W/"${id}"`, `"x", "${id}"`, '*'])
      expect(await statusOf({ 'if-none-match': known }), known).toBe(304)
    expect(await statusOf({ 'if-none-match': '"another"' })).toBe(200)
  })

  test('that is damaged is a problem, and where that shows later, a connection that breaks', async () => {
    const { database, id, sample } = await begin(4 * chunk)
    const tables = database.tables<FileTables>()
    await tables
      .updateTable('file_chunks')
      .set({ content: Buffer.alloc(99) })
      .where('number', '=', 2)
      .execute()
    const begun = await ask(sample, id)
    expect(begun.status).toBe(200)
    await expect(begun.arrayBuffer()).rejects.toThrow()
    const refused = await ask(sample, id, { range: `bytes=${2 * chunk}-` })
    expect([refused.status, refused.headers.get('content-range'), refused.headers.get('etag')]).toEqual([
      500,
      null,
      null,
    ])
    expect(await refused.json()).toMatchObject({ code: 'internal' })
    expect(sample.lines.filter(({ level }) => level === 'error')).toHaveLength(2)
  })
})

test('a film is shown in its place or saved under a safe name', async () => {
  const sample = await serve(async () => Buffer.from('film'))
  const named =
    'filename="Urlaub_ _am Meer_ _ 2026.mp4"; filename*=UTF-8\'\'Urlaub_%20%E2%80%9Eam%20Meer%E2%80%9C%20_%202026.mp4'
  expect((await ask(sample, 'x')).headers.get('content-disposition')).toBe(`inline; ${named}`)
  expect((await ask(sample, 'x?download=1')).headers.get('content-disposition')).toBe(`attachment; ${named}`)
})

/** Bytes without an end that count what was read of them. */
const endless = (length = chunk) => {
  const seen = { read: 0, left: Promise.withResolvers<void>() }
  const body: BytesAnswer['body'] = {
    size: 10 ** 12,
    async *read() {
      try {
        for (;;) {
          seen.read += length
          yield Buffer.alloc(length)
        }
      } finally {
        seen.left.resolve()
      }
    },
  }
  return { seen, body }
}
/** A client that asks, and reads nothing more than the beginning. */
const openDeaf = async ({ url }: Sample): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write('GET /api/films/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  return socket
}

test.each([chunk, 1000])(
  'a client that reads nothing holds next to nothing, and is cut off in the end (%i)',
  async (length) => {
    const { seen, body } = endless(length)
    const sample = await serve(async () => body, { downloadStallMs: 300 })
    const socket = await openDeaf(sample)
    await seen.left.promise
    // What the connection itself takes, and two chunks more.
    expect(seen.read).toBeLessThan(20_000_000)
    socket.resume()
    await once(socket, 'close')
  },
)

test('of many clients that read nothing, those are cut off who wait longest', async () => {
  const { seen, body } = endless()
  const sample = await serve(async () => body, { downloadStallMs: 3000, waitingBytes: 1 })
  await openDeaf(sample)
  await seen.left.promise
  expect(seen.read).toBeLessThan(20_000_000)
})

test('nothing more is read for a client that is gone, or whose session ended', async () => {
  const gone = endless()
  const first = await serve(async () => gone.body)
  ;(await openDeaf(first)).destroy()
  await gone.seen.left.promise

  const ended = endless()
  const second = await serve(async () => ended.body)
  const reading = await openDeaf(second)
  second.endSession('session-ann')
  await ended.seen.left.promise
  reading.resume()
  await once(reading, 'close')
})

test('a stop waits for a download as long as for anything else, and then cuts it off', async () => {
  const { seen, body } = endless()
  const sample = await serve(async () => body)
  await openDeaf(sample)
  await sample.stop(50)
  await seen.left.promise
})

test('the connection serves other requests after a range', async () => {
  const sample = await serve(async () => ({
    id: 'v',
    size: 10,
    read: async function* () {
      yield Buffer.from('0123456789')
    },
  }))
  const socket = connect(Number(new URL(sample.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  const request = 'GET /api/films/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\n\r\n'
  socket.write(request + request.replace('GET', 'HEAD') + request)
  await expect.poll(() => text.match(/HTTP\/1\.1 200/g)?.length).toBe(3)
  await expect.poll(() => text.match(/0123456789/g)?.length).toBe(2)
})

test('a range is what the standard says of it, whatever is asked of whatever size', () => {
  const number = fc.oneof(fc.nat(40), fc.constantFrom(0, 1, 99, 100, 101, 10 ** 15))
  const header = fc.oneof(
    fc.tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`),
    number.map((from) => `bytes=${from}-`),
    number.map((last) => `bytes=-${last}`),
    fc.stringMatching(/^(bytes)?[=0-9,\- ]{0,12}$/),
  )
  fc.assert(
    fc.property(header, fc.constantFrom(0, 1, 20, 100), (text, size) => {
      const range = readRange(text, size)
      if (range !== null && range !== 'beyond') {
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.end).toBeGreaterThan(range.start)
        expect(range.end).toBeLessThanOrEqual(size)
      }
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(text) ?? []
      if (from !== undefined && to !== undefined) {
        const places = Array.from({ length: size }, (_, at) => at).filter(
          (at) => at >= Number(from) && at <= Number(to),
        )
        const [first = null] = places
        if (Number(to) < Number(from)) expect(range).toBe(null)
        else if (first === null) expect(range).toBe('beyond')
        else expect(range).toEqual({ start: first, end: first + places.length })
      }
    }),
  )
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a/b\\c.txt', 'a_b_c.txt'],
  ['holiday\u202egpj.exe', 'holidaygpj.exe'],
  ['line\r\nset-cookie: x', 'line__set-cookie_ x'],
  ['CON.png', '_CON.png'],
  ['  . .', 'file'],
  ['', 'file'],
  ['\ud800.mp4', '\ufffd.mp4'],
  ['بحر.png', 'بحر.png'],
])('the file name %j is saved as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})

test('a file name is short enough for any system, with its ending and whole characters', () => {
  const name = safeFileName(`${'😀'.repeat(200)}.webm`)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
  expect(name).toMatch(/^😀+\.webm$/u)
})

test('nothing in a file name ends the header or its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
      expect(contentDisposition('inline', name)).toMatch(
        /^inline; filename="[\x20\x21\x23\x24\x26-\x7e]*"; filename\*=UTF-8''([A-Za-z0-9._~-]|%[0-9A-F]{2})+$/,
      )
    }),
  )
})
