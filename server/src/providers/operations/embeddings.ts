/** Texts as vectors: over the common `/embeddings`, the local runtime's `/api/embed` and Gemini's `:batchEmbedContents`. */
import { exchange } from '../exchange.ts'
import { ProviderFailure } from '../types.ts'
import { asArray, asCount, asObject, asTokens } from '../wires/json.ts'
import { type OperationCall, unreadableAnswer, omitUndefined } from './route.ts'
import type { EmbeddingAsk, Embeddings } from './types.ts'

const timeoutMs = 2 * 60_000
/** Numbers of one vector: the longest of today's models have 12,288. */
export const longestVector = 16_384
/** A number as it is written at full length, with its comma. */
const bytesPerNumber = 26
const bytesAround = 64 * 1024

/** What an answer to so many texts may hold at most: nothing larger is even read. */
export const embeddingLimits = (count: number, dimensions = longestVector) => {
  const numbers = count * Math.min(dimensions, longestVector)
  return { timeoutMs, maxBytes: numbers * bytesPerNumber + bytesAround, maxMembers: numbers + count * 16 + 1000 }
}

async function embed(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, headers, hasKey, model, signal } = call
  const body = omitUndefined({ model, input, dimensions, encoding_format: 'float' })
  const answer = asObject(
    await exchange(outbound, {
      method: 'POST',
      url,
      headers,
      hasKey,
      body,
      signal,
      ...embeddingLimits(input.length, dimensions),
    }),
  )
  const entries = asArray(answer?.['data'])
  if (entries.length !== input.length) throw unreadableAnswer()
  // Entries come in any order, each with its place.
  const vectors: (number[] | undefined)[] = Array.from({ length: input.length })
  for (const [at, entry] of entries.entries()) {
    const place = asCount(asObject(entry)?.['index']) ?? at
    if (place >= input.length) throw unreadableAnswer()
    vectors[place] = readVector(asObject(entry)?.['embedding'])
  }
  const inputTokens = asTokens(asObject(answer?.['usage'])?.['prompt_tokens'])
  return { vectors: whole(vectors, input.length), inputTokens }
}

async function embedLocally(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, model, signal } = call
  const body = omitUndefined({ model, input: textsOf(input), dimensions })
  const answer = asObject(
    await exchange(outbound, { method: 'POST', url, body, signal, ...embeddingLimits(input.length, dimensions) }),
  )
  const entries = asArray(answer?.['embeddings'])
  return { vectors: readVectors(entries, input.length), inputTokens: asTokens(answer?.['prompt_eval_count']) }
}

async function embedWithGemini(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, headers, hasKey, model, signal } = call
  const requests = textsOf(input).map((text) =>
    omitUndefined({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: dimensions }),
  )
  const question = { method: 'POST', url, headers, hasKey, body: { requests }, signal } as const
  const limits = embeddingLimits(input.length, dimensions)
  const answer = asObject(await exchange(outbound, { ...question, ...limits }))
  const entries = asArray(answer?.['embeddings']).map((entry) => asObject(entry)?.['values'])
  return { vectors: readVectors(entries, input.length), inputTokens: null }
}

/** By format. */
export const embedders = { common: embed, local: embedLocally, gemini: embedWithGemini } as const

/** Ids of tokens mean nothing to a format that does not know them. */
function textsOf(input: EmbeddingAsk['input']): string[] {
  return input.map((one) => {
    if (typeof one === 'string') return one
    const words = 'This model takes texts, not the ids of their tokens.'
    throw new ProviderFailure('rejected', words, 400, { parameter: 'input' })
  })
}

/** One for each text that was asked for, or none at all. Throws `malformed`. */
export function readVectors(entries: readonly unknown[], count: number): number[][] {
  if (entries.length !== count) throw unreadableAnswer()
  return whole(entries.map(readVector), count)
}

function whole(vectors: readonly (number[] | undefined)[], count: number): number[][] {
  const found = vectors.filter((vector) => vector !== undefined)
  if (found.length !== count || vectors.length !== count) throw unreadableAnswer()
  // Vectors of one model are of one length.
  if (found.some((vector) => vector.length !== found[0]?.length)) throw unreadableAnswer()
  return found
}

/** As numbers that 32-bit floats can hold, or as the bytes of such floats in base64. */
function readVector(value: unknown): number[] {
  if (typeof value === 'string' && value.length > longestVector * 6) throw unreadableAnswer()
  const numbers = typeof value === 'string' ? floatsOf(value) : asArray(value)
  if (numbers.length === 0 || numbers.length > longestVector) throw unreadableAnswer()
  if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number))))
    throw unreadableAnswer()
  return numbers as number[]
}

function floatsOf(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}
