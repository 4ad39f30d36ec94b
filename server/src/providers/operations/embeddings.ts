/** Texts as vectors: over the common `/embeddings`, the local runtime's `/api/embed` and Gemini's `:batchEmbedContents`. */
import { exchange } from '../exchange.ts'
import { asArray, asCount, asObject } from '../wires/json.ts'
import { type OperationCall, unreadable, without } from './route.ts'
import type { EmbeddingAsk, Embeddings } from './types.ts'

const timeoutMs = 2 * 60_000
const maxBytes = 64 * 1024 * 1024
const longestVector = 65_536

async function embed(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, headers, hasKey, model, signal } = call
  const body = without({ model, input, dimensions, encoding_format: 'float' })
  const answer = asObject(
    await exchange(outbound, { method: 'POST', url, headers, hasKey, body, signal, timeoutMs, maxBytes }),
  )
  // Entries come in any order, each with its place.
  const vectors: (readonly number[] | undefined)[] = Array.from({ length: input.length })
  for (const [at, entry] of asArray(answer?.['data']).entries()) {
    vectors[asCount(asObject(entry)?.['index']) ?? at] = readVector(asObject(entry)?.['embedding'])
  }
  const inputTokens = asCount(asObject(answer?.['usage'])?.['prompt_tokens'])
  return { vectors: whole(vectors, input.length), inputTokens }
}

async function embedLocally(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, model, signal } = call
  const body = without({ model, input, dimensions })
  const answer = asObject(await exchange(outbound, { method: 'POST', url, body, signal, timeoutMs, maxBytes }))
  const vectors = asArray(answer?.['embeddings']).map(readVector)
  return { vectors: whole(vectors, input.length), inputTokens: asCount(answer?.['prompt_eval_count']) }
}

async function embedWithGemini(call: OperationCall, { input, dimensions }: EmbeddingAsk): Promise<Embeddings> {
  const { outbound, url, headers, hasKey, model, signal } = call
  const requests = input.map((text) =>
    without({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: dimensions }),
  )
  const question = { method: 'POST', url, headers, hasKey, body: { requests }, signal, timeoutMs, maxBytes } as const
  const answer = asObject(await exchange(outbound, question))
  const vectors = asArray(answer?.['embeddings']).map((entry) => readVector(asObject(entry)?.['values']))
  return { vectors: whole(vectors, input.length), inputTokens: null }
}

/** By format. */
export const embedders = { common: embed, local: embedLocally, gemini: embedWithGemini } as const

function whole(vectors: readonly (readonly number[] | undefined)[], count: number): (readonly number[])[] {
  const found = vectors.filter((vector) => vector !== undefined)
  if (found.length !== count || vectors.length !== count) throw unreadable()
  return found
}

/** As numbers, or as the bytes of 32-bit floats in base64. */
function readVector(value: unknown): readonly number[] {
  const numbers = typeof value === 'string' ? floatsOf(value) : asArray(value)
  if (numbers.length === 0 || numbers.length > longestVector) throw unreadable()
  if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(number))) throw unreadable()
  return numbers as number[]
}

function floatsOf(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}
