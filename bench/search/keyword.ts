/** How fast words are found among many, and how fast they get there. */
import { sql } from 'kysely'
import { openPlace, type Place } from './place.ts'
import { createSource } from './texts.ts'

export interface Times {
  readonly p50: number
  readonly p95: number
}

export interface KeywordFigures {
  readonly chunks: number
  readonly bytes: number
  readonly chunksPerSecond: number
  /** Questions over everything; only frequent words; of an account with a twentieth; search as one types. */
  readonly everything: Times
  readonly frequent: Times
  readonly account: Times
  readonly every: Times
}

export const perDocument = 200
export const partitions = Array.from({ length: 20 }, (_, at) => `documents:${at}`)

/** Fills an index with documents of two hundred chunks, for twenty accounts. */
export async function fill(place: Place, chunks: number): Promise<number> {
  const source = createSource(11)
  const began = performance.now()
  // One document is hashed while the one before is written, as when several are taken in.
  let written: Promise<void> = Promise.resolve()
  for (let document = 0; document * perDocument < chunks; document++) {
    const entries = Array.from({ length: Math.min(perDocument, chunks - document * perDocument) }, (_, at) => ({
      id: `d${document}:${at}`,
      group: `d${document}`,
      partition: partitions[document % 20] ?? '',
      time: document,
      facets: [],
      text: source.text(),
    }))
    const hashed = await place.texts.hash(entries)
    await written
    written = place.texts.put(hashed)
  }
  await written
  return chunks / ((performance.now() - began) / 1000)
}

export async function measureKeyword(chunks: number, url?: string): Promise<KeywordFigures> {
  const place = await openPlace(url)
  try {
    const chunksPerSecond = await fill(place, chunks)
    // As the server does by itself some time later.
    if (url) await sql`vacuum analyze`.execute(place.database.tables())
    const source = createSource(23)
    const some = (make: () => string, count = 100) => Array.from({ length: count }, make)
    const find = (text: string, of = partitions, everyWord = false) =>
      place.texts.find({ text, partitions: of, limit: 50, everyWord })
    const questions = some(source.question)
    return {
      chunks,
      chunksPerSecond,
      bytes: await place.database.size(),
      everything: await timesOf(questions, (text) => find(text)),
      frequent: await timesOf(some(source.frequent, 40), (text) => find(text)),
      account: await timesOf(questions, (text) => find(text, partitions.slice(3, 4))),
      every: await timesOf(some(source.frequent, 40), (text) => find(text, partitions, true)),
    }
  } finally {
    await place.close()
  }
}

/** A first round is not counted: it reads the file and learns how frequent words are. */
export async function timesOf<T>(values: readonly T[], run: (value: T) => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (const value of [...values, ...values]) {
    const from = performance.now()
    await run(value)
    times.push(performance.now() - from)
  }
  const counted = times.slice(values.length).sort((a, b) => a - b)
  const at = (share: number) => counted[Math.min(counted.length - 1, Math.floor(counted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}
