/** Every format over recorded exchanges, in the shapes that their makers document, through the same cases. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { measureCall } from '../measure.ts'
import type { MeteredCall } from '../metering.ts'
import { ProviderFailure } from '../types.ts'
import { askWhole } from './ask.ts'
import type { Answer, Exchange } from './testing/exchange.ts'
import { exchanges } from './testing/exchanges.ts'
import { formats } from './formats/index.ts'
import { perform } from './index.ts'
import type { OperationCall } from './route.ts'
import { cancelTask, lookAtTask, submitTask } from './tasks.ts'
import type { CallNews, VideoAsk } from './types.ts'

interface Seen {
  readonly path: string
  readonly key: string | undefined
  readonly body: string
  readonly type: string
}

const key = 'sk-very-secret-key-4242'
const seen: Seen[] = []
let answers: Readonly<Record<string, Answer>> = {}
/** What happens instead of the answer to a path. */
let twist: ((path: string, res: ServerResponse, answer: Answer) => boolean) | null = null
let server: Server
let elsewhere: Server
let base = ''
let strange = ''
let outbound: Outbound
const metered: MeteredCall[] = []

const answerTo = (path: string): Answer | undefined =>
  Object.entries(answers).find(
    ([wanted]) => path === wanted || (wanted.endsWith('*') && path.startsWith(wanted.slice(0, -1))),
  )?.[1]

const bytesOf = ({ body }: Answer): Uint8Array => {
  if (body instanceof Uint8Array) return body
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return Buffer.from(text.replaceAll('{base}', base).replaceAll('{strange}', strange))
}

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const path = `${req.method} ${req.url}`
  const { authorization, 'content-type': type = '' } = req.headers
  seen.push({ path, key: authorization, body: Buffer.concat(chunks).toString('latin1'), type })
  const answer = answerTo(path)
  if (!answer) return void res.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
  if (twist?.(path, res, answer)) return
  res.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' }).end(bytesOf(answer))
}

beforeAll(async () => {
  const start = async (): Promise<[Server, string]> => {
    const made = createServer((req, res) => void handle(req, res).catch(() => res.destroy())).listen(0, '127.0.0.1')
    await once(made, 'listening')
    return [made, `http://127.0.0.1:${(made.address() as AddressInfo).port}`]
  }
  ;[server, base] = await start()
  ;[elsewhere, strange] = await start()
  outbound = createOutbound({
    allowed: () => new Set([base, strange].map((url) => new URL(url).host)),
    log: createLog({ level: 'silent' }),
  })
})
afterAll(async () => {
  await outbound.close()
  for (const one of [server, elsewhere]) one.closeAllConnections()
  server.close()
  elsewhere.close()
})
beforeEach(() => {
  seen.length = 0
  metered.length = 0
  twist = null
})

const callFor = async (of: Exchange, signal = new AbortController().signal, heard?: (news: CallNews) => void) => {
  answers = of.answers
  const call: OperationCall = {
    outbound,
    url: await outbound.check(base + of.endpoint),
    origins: [base],
    headers: { authorization: `Bearer ${key}` },
    hasKey: true,
    model: of.model,
    config: { poll_interval_ms: 2, ...of.config },
    also: of.also ?? {},
    variables: of.variables ?? {},
    signal,
    measure: measureCall({ clock: systemClock, meter: (one) => void metered.push(one) }, { subject: null, model: 'm' }),
    heard,
    partials: of.partials,
  }
  return call
}

/** About what is made, or for it. */
const isQuestion = (path: string): boolean => path.startsWith('GET ')

/** What was made, to its end. */
async function run(of: Exchange, signal?: AbortSignal, heard?: (news: CallNews) => void): Promise<unknown> {
  const call = await callFor(of, signal, heard)
  if (of.operation === 'video') {
    const format = formats.video[of.format as keyof typeof formats.video]
    const handle = await submitTask(call, format, of.ask as VideoAsk)
    // Whoever asks on may be another process: all that it has is what was kept.
    const kept = JSON.parse(JSON.stringify(handle)) as typeof handle
    for (let round = 0; round < 5; round += 1) {
      const report = await lookAtTask(call, format, kept)
      if (report.state === 'done') return report.result
      if (report.state === 'failed') return report
    }
    throw new Error('it never ended')
  }
  const answer = await perform(of.operation, call, of.format as never, of.ask as never)
  if (of.operation !== 'tts') return answer
  const { body, ...rest } = answer as { body: AsyncIterable<Uint8Array>; mediaType: string }
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return { ...rest, bytes: Buffer.concat(pieces) }
}

const failureOf = async (work: Promise<unknown>): Promise<ProviderFailure> => {
  const failure = await work.then(
    (value) => new Error(`it gave ${JSON.stringify(value)?.slice(0, 200)}`),
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(ProviderFailure)
  expect(String((failure as Error).stack) + JSON.stringify(failure)).not.toMatch(/sk-/)
  return failure as ProviderFailure
}

describe.each(exchanges.map((of) => [`${of.operation} ${of.format}${of.title ? `, ${of.title}` : ''}`, of] as const))(
  '%s',
  (_, of) => {
    const isMain = (path: string): boolean => path === Object.keys(of.answers)[0]

    test('says what its maker documents, and reads what comes back', async () => {
      const result = await run(of)
      expect(result).toMatchObject(of.result)
      for (const [at, wanted] of of.said.entries()) {
        const { path, body, type } = seen[at] ?? { path: '', body: '', type: '' }
        expect(path).toBe(wanted.path)
        if (wanted.json !== undefined)
          expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toMatchObject(wanted.json)
        for (const part of wanted.parts ?? []) expect(body).toContain(part)
        if (wanted.parts) expect(type).toMatch(/^multipart\/form-data/)
      }
      for (const { path, key: shown } of seen) {
        expect([path, shown]).toEqual([path, path.includes('/strange/') ? undefined : `Bearer ${key}`])
      }
      if (of.operation !== 'video') expect(metered).toMatchObject([{ status: 'success', units: of.units }])
    })

    if (of.moderated)
      test('tells that something was withheld', async () => {
        const changed = { ...of, answers: { ...of.answers, ...of.moderated } }
        if (of.operation === 'video') expect(await run(changed)).toEqual({ state: 'failed', reason: 'moderated' })
        else expect((await failureOf(run(changed))).kind).toBe('moderated')
      })

    if (of.forgotten)
      test('tells that the provider has forgotten it', async () => {
        const kept = Object.entries(of.answers).filter(([path]) => !of.forgotten?.includes(path))
        const changed = { ...of, answers: Object.fromEntries(kept) }
        if (of.operation === 'video') expect(await run(changed)).toEqual({ state: 'failed', reason: 'expired' })
        else
          expect(await failureOf(run(changed))).toMatchObject({
            kind: 'rejected',
            message: expect.stringContaining('no longer has this'),
          })
      })

    test('tells a refusal in our words', async () => {
      twist = (_path, res) => {
        res
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"no, sk-leaked"},"detail":"sk-leaked"}')
        return true
      }
      expect((await failureOf(run(of))).kind).toBe('rejected')
    })

    test('takes no half answer', async () => {
      twist = (path, res, answer) => {
        if (!isMain(path)) return false
        const bytes = bytesOf(answer)
        res.writeHead(200, { 'content-type': answer.type ?? 'application/json', 'content-length': bytes.byteLength })
        res.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => setTimeout(() => res.destroy(), 5))
        return true
      }
      expect(['malformed', 'unreachable']).toContain((await failureOf(run(of))).kind)
    })

    test('takes no page for an answer', async () => {
      twist = (path, res) => {
        if (!isMain(path)) return false
        res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Please sign in.</p>')
        return true
      }
      expect((await failureOf(run(of))).kind).toBe('malformed')
    })

    if (of.media)
      test('keeps nothing that is no media of its kind', async () => {
        for (const bad of ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', '<html></html>']) {
          await expect(
            failureOf(run({ ...of, answers: { ...of.answers, ...of.media?.(Buffer.from(bad)) } })),
          ).resolves.toMatchObject({
            kind: 'malformed',
          })
        }
      })

    test('reads nothing that is larger than any answer', async () => {
      twist = (path, res, answer) => {
        if (!isMain(path)) return false
        res.writeHead(200, { 'content-type': answer.type ?? 'application/json', 'content-length': 10_000_000_000 })
        res.write(bytesOf(answer))
        return true
      }
      expect((await failureOf(run(of))).kind).toBe('too_large')
    })

    test('is dropped when nobody waits any more, and the provider hears of it where it can', async () => {
      const stop = new AbortController()
      const gone = Promise.withResolvers<void>()
      twist = (path, res) => {
        if (of.stops && path === of.stops) return false
        if (!(of.stallsAt ? path === of.stallsAt : isMain(path))) return false
        res.once('close', gone.resolve)
        stop.abort()
        return true
      }
      expect((await failureOf(run(of, stop.signal))).kind).toBe('aborted')
      await gone.promise
      if (of.stops) expect(seen.map(({ path }) => path)).toContain(of.stops)
      if (of.operation !== 'video') expect(metered).toMatchObject([{ status: 'cancelled' }])
    })
  },
)

test.each(exchanges.filter(({ operation, cancels }) => operation === 'video' && cancels))(
  'a film of the format $format is cancelled at its provider',
  async (of) => {
    const call = await callFor({
      ...of,
      answers: { ...of.answers, ...Object.fromEntries([[of.cancels ?? '', { body: {} }]]) },
    })
    const format = formats.video[of.format as keyof typeof formats.video]
    const handle = await submitTask(call, format, of.ask as VideoAsk)
    expect(await cancelTask(call, format, handle)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ path: of.cancels, key: `Bearer ${key}` })
  },
)

test.each([
  ['xai', { status: 'done', video: {} }],
  ['xai', { status: 'done' }],
  ['fal', { video: null }],
  ['fal', { video: { url: '' } }],
  ['vertex', { done: true, response: {} }],
  ['vertex', { done: true, response: { videos: [{ gcsUri: 'gs://somebody/film.mp4', mimeType: 'video/mp4' }] } }],
  ['gemini', { status: 'completed', usage: { output_tokens_by_modality: [{ modality: 'video', tokens: 9 }] } }],
])('a film of the format %s that is done and lies nowhere has failed: %j', async (format, done) => {
  const of = exchanges.find((one) => one.operation === 'video' && one.format === format)
  const last = of?.said.at(-1)?.path
  if (!of || last === undefined) throw new Error('there is no such exchange')
  const report = await run({ ...of, answers: { ...of.answers, [last]: { body: done } } })
  expect(report).toEqual({ state: 'failed', reason: 'wrong_type' })
})

test.each(
  exchanges
    .filter(({ operation, answers: told }) => operation !== 'video' && Object.keys(told).some(isQuestion))
    .map((of) => [`${of.operation} ${of.format}${of.title ? `, ${of.title}` : ''}`, of] as const),
)('what is made is not lost where a question about it fails for a moment: %s', async (_, of) => {
  const failed = new Set<string>()
  twist = (path, res) => {
    if (!isQuestion(path) || failed.has(path)) return false
    failed.add(path)
    if (failed.size % 2 === 0) res.writeHead(503).end()
    else res.destroy()
    return true
  }
  expect(await run(of)).toMatchObject(of.result)
  expect(failed.size).toBeGreaterThan(0)
})

test('an address of another place is not asked, whoever tells it', async () => {
  const [of] = exchanges.filter(({ operation, format }) => operation === 'video' && format === 'fal')
  if (!of) throw new Error('there is no such exchange')
  const [submit] = Object.keys(of.answers)
  const body = { request_id: 'r', status_url: `${strange}/s`, response_url: `${strange}/r`, cancel_url: `${strange}/c` }
  const changed = { ...of, answers: { ...of.answers, [submit ?? '']: { body } } }
  expect(await failureOf(run(changed))).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('named an address elsewhere'),
  })
  expect(seen).toHaveLength(1)
})

test('a provider that says nothing is given up in time', async () => {
  const [of] = exchanges
  if (!of) throw new Error('there are none')
  twist = () => true
  const call = await callFor(of)
  const failure = await failureOf(askWhole(call, { json: {} }, { timeoutMs: 30, maxBytes: 1000 }))
  expect(failure.kind).toBe('timeout')
})

test.each(['elevenlabs', 'huggingface'])(
  'a translation is not asked of the format %s, which has none',
  async (format) => {
    const of = exchanges.find((one) => one.operation === 'stt' && one.format === format)
    if (!of) throw new Error('there is no such exchange')
    expect(await failureOf(run({ ...of, ask: { ...of.ask, translate: true } }))).toMatchObject({
      kind: 'rejected',
      status: 400,
    })
    expect(seen).toEqual([])
  },
)

test('words of a recording are heard of while it is read', async () => {
  const of = exchanges.find(({ title }) => title === 'heard as it comes')
  if (!of) throw new Error('there is no such exchange')
  const news: CallNews[] = []
  await run(of, undefined, (one) => void news.push(one))
  expect(news).toEqual([{ text: 'Hel' }, { text: 'lo.' }])
})

test('partial pictures are heard of while one is drawn', async () => {
  const of = exchanges.find(({ title }) => title === 'streamed')
  if (!of) throw new Error('there is no such exchange')
  const news: CallNews[] = []
  await run(of, undefined, (one) => void news.push(one))
  expect(news.map(({ partial }) => partial?.mediaType)).toEqual(['image/png', 'image/png'])
})
