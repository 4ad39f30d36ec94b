/** Vectors as providers tell them: checked, and bounded before they are read. Pure. */
import { ProviderFailure } from '../types.ts'
import { asArray } from '../wires/json.ts'
import type { Limits } from './format.ts'
import { unreadableAnswer } from './route.ts'
import type { EmbeddingAsk } from './types.ts'

/** Numbers of one vector: the longest of today's models have 12,288. */
export const longestVector = 16_384
/** A number as it is written at full length, with its comma. */
const bytesPerNumber = 26
const bytesAround = 64 * 1024

/** What an answer to so many texts may hold at most: nothing larger is even read. */
export const embeddingLimits = (count: number, dimensions = longestVector): Required<Limits> => {
  const numbers = count * Math.min(dimensions, longestVector)
  return {
    timeoutMs: 2 * 60_000,
    maxBytes: numbers * bytesPerNumber + bytesAround,
    maxMembers: numbers + count * 16 + 1000,
  }
}

/** Ids of tokens mean nothing to a format that does not know them. */
export function textsOf(input: EmbeddingAsk['input']): string[] {
  return input.map((one) => {
    if (typeof one === 'string') return one
    const words = 'This model accepts text, not token ids.'
    throw new ProviderFailure('rejected', words, 400, { parameter: 'input' })
  })
}

/** One for each text that was asked for, or none at all. Throws `malformed`. */
export function readVectors(entries: readonly unknown[], count: number): number[][] {
  if (entries.length !== count) throw unreadableAnswer()
  return wholeVectors(entries.map(readVector), count)
}

export function wholeVectors(vectors: readonly (number[] | undefined)[], count: number): number[][] {
  const found = vectors.filter((vector) => vector !== undefined)
  if (found.length !== count || vectors.length !== count) throw unreadableAnswer()
  // Vectors of one model are of one length.
  if (found.some((vector) => vector.length !== found[0]?.length)) throw unreadableAnswer()
  return found
}

/** As numbers that 32-bit floats can hold, or as the bytes of such floats in base64. */
export function readVector(value: unknown): number[] {
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
