/** A client of the local runtime (Ollama's protocol), beside its chat wire. Throws ProviderFailure. */
import type { RunningModel, RuntimeModel } from '@atrium/contract/local-runtime'
import type { Checked, Outbound } from '../platform/outbound/types.ts'
import { refusedByStatus } from './faults.ts'
import { createFraming } from './framing.ts'
import { exchange, type Question, translate } from './exchange.ts'
import { ProviderFailure } from './types.ts'
import { asArray, asCount, asObject, asText, type Json, parseFrame } from './wires/json.ts'

/** How far a download is. `total` is null as long as nobody knows it. */
export interface PullProgress {
  readonly status: string
  /** Of the piece that the figures are about. */
  readonly digest: string | null
  readonly completed: number
  readonly total: number | null
}

export interface LocalRuntime {
  version(baseUrl: string, signal?: AbortSignal): Promise<string>
  /** The models with details and capabilities; those of a model are asked once per digest. */
  models(baseUrl: string, signal?: AbortSignal): Promise<RuntimeModel[]>
  running(baseUrl: string): Promise<RunningModel[]>
  /** Rejects with `rejected` and status 404 when there is no such model. */
  remove(baseUrl: string, name: string): Promise<void>
  unload(baseUrl: string, name: string): Promise<void>
  embed(baseUrl: string, model: string, input: readonly string[], signal: AbortSignal): Promise<number[][]>
  /** Ends when the download is complete. Aborting drops it. */
  pull(baseUrl: string, name: string, signal: AbortSignal): AsyncIterable<PullProgress>
}

const shortMs = 5000
const pullIdleMs = 5 * 60_000

export const createLocalRuntime = (outbound: Pick<Outbound, 'check' | 'request'>): LocalRuntime => {
  const detailsByDigest = new Map<string, Details>()

  const ask = async (baseUrl: string, method: Question['method'], path: string, extra: Partial<Question> = {}) => {
    const url = await address(outbound, baseUrl, path)
    return asObject(await exchange(outbound, { method, url, timeoutMs: shortMs, ...extra })) ?? {}
  }

  /** Details are a hint: a model whose details cannot be had is listed without them. */
  const details = async (baseUrl: string, name: string, digest: string, signal?: AbortSignal): Promise<Details> => {
    const known = detailsByDigest.get(digest)
    if (known) return known
    try {
      const read = readDetails(
        await ask(baseUrl, 'POST', '/api/show', { body: { model: name }, ...(signal ? { signal } : {}) }),
      )
      if (detailsByDigest.size > 2000) detailsByDigest.clear()
      detailsByDigest.set(digest, read)
      return read
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind !== 'aborted') return { contextWindow: null, capabilities: [] }
      throw error
    }
  }

  return {
    async version(baseUrl, signal) {
      const version = asText((await ask(baseUrl, 'GET', '/api/version', signal ? { signal } : {}))['version'])
      if (!version) throw notTheRuntime()
      return version.slice(0, 100)
    },

    async models(baseUrl, signal) {
      const list = (await ask(baseUrl, 'GET', '/api/tags', signal ? { signal } : {}))['models']
      if (!Array.isArray(list)) throw notTheRuntime()
      const rows = list.map((entry) => readRow(asObject(entry) ?? {})).filter((row) => row.name !== '')
      return await inTurns(rows, 8, async (row) => ({
        ...row,
        ...(await details(baseUrl, row.name, row.digest, signal)),
      }))
    },

    async running(baseUrl) {
      const list = asArray((await ask(baseUrl, 'GET', '/api/ps'))['models'])
      return list.map((entry) => readRunning(asObject(entry) ?? {})).filter((row) => row.name !== '')
    },

    async remove(baseUrl, name) {
      await ask(baseUrl, 'DELETE', '/api/delete', { body: { model: name }, timeoutMs: 30_000 })
    },

    async unload(baseUrl, name) {
      await ask(baseUrl, 'POST', '/api/generate', { body: { model: name, keep_alive: 0 }, timeoutMs: 30_000 })
    },

    async embed(baseUrl, model, input, signal) {
      const body = { model, input }
      const answer = await ask(baseUrl, 'POST', '/api/embed', {
        body,
        signal,
        timeoutMs: 120_000,
        maxBytes: 64 * 1024 * 1024,
      })
      const embeddings = asArray(answer['embeddings']).map(readVector)
      if (embeddings.length !== input.length) throw malformed()
      return embeddings
    },

    pull: (baseUrl, name, signal) => pull(outbound, baseUrl, name, signal),
  }
}

async function* pull(
  outbound: Pick<Outbound, 'check' | 'request'>,
  baseUrl: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<PullProgress> {
  try {
    const response = await outbound.request(await address(outbound, baseUrl, '/api/pull'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ model: name, stream: true }),
      signal,
      headersMs: pullIdleMs,
      idleMs: pullIdleMs,
      maxBytes: 256 * 1024 * 1024,
    })
    if (response.status !== 200) {
      throw refusedByStatus(response.status, (await response.text()).slice(0, 65_536), { hasKey: false })
    }
    const framing = createFraming('ndjson')
    let done = false
    for await (const chunk of response.body) {
      for (const line of framing.push(chunk)) {
        const progress = readProgress(line)
        done ||= progress.status === 'success'
        yield progress
      }
    }
    if (!done) throw new ProviderFailure('malformed', 'The download broke off before it was complete.')
  } catch (error) {
    throw translate(error, signal)
  }
}

function readProgress(line: string): PullProgress {
  const frame = parseFrame(line) ?? {}
  if (frame['error'] !== undefined) {
    const missing = /file does not exist|not found/i.test(asText(frame['error']))
    throw missing
      ? new ProviderFailure('rejected', 'There is no model of this name in the library of the runtime.', 404)
      : new ProviderFailure('rejected', 'The local runtime could not download the model.')
  }
  return {
    status: asText(frame['status']).slice(0, 200),
    digest: asText(frame['digest']) || null,
    completed: asCount(frame['completed']) ?? 0,
    total: asCount(frame['total']),
  }
}

interface Details {
  readonly contextWindow: number | null
  readonly capabilities: string[]
}

function readDetails(shown: Json): Details {
  const info = asObject(shown['model_info']) ?? {}
  const key = Object.keys(info).find((name) => name.endsWith('.context_length'))
  return {
    contextWindow: key ? asCount(info[key]) : null,
    capabilities: asArray(shown['capabilities']).map(asText).filter(Boolean).slice(0, 20),
  }
}

function readRow(entry: Json): Omit<RuntimeModel, keyof Details> {
  const details = asObject(entry['details'])
  return {
    name: (asText(entry['model']) || asText(entry['name'])).slice(0, 200),
    sizeBytes: asCount(entry['size']) ?? 0,
    modifiedAt: asTime(entry['modified_at']) ?? '',
    digest: asText(entry['digest']),
    family: asText(details?.['family']) || null,
    parameterSize: asText(details?.['parameter_size']) || null,
    quantization: asText(details?.['quantization_level']) || null,
  }
}

const readRunning = (entry: Json): RunningModel => ({
  name: asText(entry['model']) || asText(entry['name']),
  sizeBytes: asCount(entry['size']) ?? 0,
  vramBytes: asCount(entry['size_vram']) ?? 0,
  expiresAt: asTime(entry['expires_at']),
})

/** The runtime writes nanoseconds and its own zone; null where that is no time. */
function asTime(value: unknown): string | null {
  const time = Date.parse(asText(value))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function readVector(value: unknown): number[] {
  const vector = asArray(value)
  if (vector.length === 0 || vector.some((n) => typeof n !== 'number')) throw malformed()
  return vector as number[]
}

/** The runtime's addresses hang under its base, whatever path that has. */
async function address(outbound: Pick<Outbound, 'check'>, baseUrl: string, path: string): Promise<Checked<URL>> {
  return await outbound.check(baseUrl.replace(/\/+$/, '') + path)
}

/** Works on a few at a time, and keeps the order. */
async function inTurns<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += width) {
    results.push(...(await Promise.all(items.slice(at, at + width).map(work))))
  }
  return results
}

const notTheRuntime = (): ProviderFailure =>
  new ProviderFailure('malformed', 'Something answers at this address, but it is not the local runtime.')
const malformed = (): ProviderFailure =>
  new ProviderFailure('malformed', 'What the local runtime answered cannot be read.')
