/** A client of the local runtime (Ollama's protocol), beside its chat wire. Throws ProviderFailure. */
import type { ModelDetails, RunningModel, RuntimeModel } from '@atrium/contract/local-runtime'
import { createCache } from '../platform/cache/cache.ts'
import type { Checked, Outbound } from '../platform/outbound/types.ts'
import { exchange, type ProviderRequest } from './exchange.ts'
import { embeddingLimits, readVectors } from './operations/vectors.ts'
import { asTime, readShown } from './runtime-details.ts'
import { type NewModel, type RuntimeProgress, followTask } from './runtime-tasks.ts'
import { ProviderFailure } from './types.ts'
import { asArray, asCount, asObject, asText, type Json } from './wires/json.ts'

export type { NewModel, RuntimeProgress } from './runtime-tasks.ts'

export interface LocalRuntime {
  version(baseUrl: string, signal?: AbortSignal): Promise<string>
  /** The models with details and capabilities; those of a model are asked once per digest. */
  models(baseUrl: string, signal?: AbortSignal): Promise<RuntimeModel[]>
  running(baseUrl: string): Promise<RunningModel[]>
  /** Rejects with `rejected` and status 404 when there is no such model. */
  remove(baseUrl: string, name: string): Promise<void>
  unload(baseUrl: string, name: string): Promise<void>
  embed(baseUrl: string, model: string, input: readonly string[], signal: AbortSignal): Promise<number[][]>
  /** Everything about one model; `info` only when `verbose`. */
  show(baseUrl: string, name: string, verbose: boolean): Promise<ModelDetails>
  copy(baseUrl: string, source: string, destination: string): Promise<void>
  /** Ends when the download is complete. Aborting drops it. */
  pull(baseUrl: string, name: string, signal: AbortSignal): AsyncIterable<RuntimeProgress>
  /** Ends when the model is uploaded. */
  push(baseUrl: string, name: string, signal: AbortSignal): AsyncIterable<RuntimeProgress>
  /** Ends when the model is made. */
  create(baseUrl: string, model: NewModel, signal: AbortSignal): AsyncIterable<RuntimeProgress>
}

const shortMs = 5000
/** A runtime that lists more is none: each of them would be asked about on its own. */
const mostModels = 2000
const longestWord = 200

export const createLocalRuntime = (outbound: Pick<Outbound, 'check' | 'request'>): LocalRuntime => {
  const detailsByDigest = createCache<Details>({ max: 2000 })

  const ask = async (
    baseUrl: string,
    method: ProviderRequest['method'],
    path: string,
    extra: Partial<ProviderRequest> = {},
  ) => {
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
      const rows = list
        .slice(0, mostModels)
        .map((entry) => readRow(asObject(entry) ?? {}))
        .filter((row) => row.name !== '')
      return await inTurns(rows, 8, async (row) => ({
        ...row,
        ...(await details(baseUrl, row.name, row.digest, signal)),
      }))
    },

    async running(baseUrl) {
      const list = asArray((await ask(baseUrl, 'GET', '/api/ps'))['models'])
      return list
        .slice(0, mostModels)
        .map((entry) => readRunning(asObject(entry) ?? {}))
        .filter((row) => row.name !== '')
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
        ...embeddingLimits(input.length),
      })
      return readVectors(asArray(answer['embeddings']), input.length)
    },

    async show(baseUrl, name, verbose) {
      const body = { model: name, ...(verbose ? { verbose } : {}) }
      const shown = await ask(baseUrl, 'POST', '/api/show', {
        body,
        timeoutMs: 15_000,
        maxBytes: 64 * 1024 * 1024,
        // With every word of its vocabulary, several times over.
        maxMembers: 3_000_000,
      })
      return readShown(name, shown, verbose)
    },

    async copy(baseUrl, source, destination) {
      await ask(baseUrl, 'POST', '/api/copy', { body: { source, destination }, timeoutMs: 30_000 })
    },

    pull: (baseUrl, name, signal) =>
      followTask(outbound, () => address(outbound, baseUrl, '/api/pull'), { model: name }, signal),

    push: (baseUrl, name, signal) =>
      followTask(outbound, () => address(outbound, baseUrl, '/api/push'), { model: name }, signal),

    create: (baseUrl, { name, ...parts }, signal) =>
      followTask(outbound, () => address(outbound, baseUrl, '/api/create'), { model: name, ...parts }, signal),
  }
}

interface Details {
  readonly contextWindow: number | null
  readonly capabilities: string[]
}

function readDetails(shown: Json): Details {
  const { contextWindow, capabilities } = readShown('', shown, false)
  return { contextWindow, capabilities }
}

function readRow(entry: Json): Omit<RuntimeModel, keyof Details> {
  const details = asObject(entry['details'])
  return {
    name: wordOf(entry['model']) || wordOf(entry['name']),
    sizeBytes: asCount(entry['size']) ?? 0,
    modifiedAt: asTime(entry['modified_at']) ?? '',
    digest: wordOf(entry['digest']),
    family: wordOf(details?.['family']) || null,
    parameterSize: wordOf(details?.['parameter_size']) || null,
    quantization: wordOf(details?.['quantization_level']) || null,
  }
}

const readRunning = (entry: Json): RunningModel => ({
  name: wordOf(entry['model']) || wordOf(entry['name']),
  sizeBytes: asCount(entry['size']) ?? 0,
  vramBytes: asCount(entry['size_vram']) ?? 0,
  expiresAt: asTime(entry['expires_at']),
})

const wordOf = (value: unknown): string => asText(value).slice(0, longestWord)

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
