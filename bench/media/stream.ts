/** A film in sealed storage: written as it comes, and read from its beginning and from its middle. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from '../../server/src/testing/postgres.ts'
import type { Row } from '../row.ts'

export const filmBytes = 200 * 1024 * 1024

export interface FilmFigures {
  /** `bytes`: how much larger the process was at its largest. */
  readonly write: { readonly ms: number; readonly bytes: number }
  readonly read: { readonly ms: number; readonly bytes: number }
  /** The same bytes out of a plain file, as a stream. */
  readonly bare: { readonly ms: number; readonly bytes: number }
  /** Until the first bytes of a range, in ms. */
  readonly first: { readonly median: number; readonly longest: number }
}

/** On an encrypted SQLite file, and on a PostgreSQL of its own. */
export async function measureStream(): Promise<Row[]> {
  const postgres = await startPostgres()
  try {
    return [...rowsOf('SQLite', await measureFilm()), ...rowsOf('PostgreSQL', await measureFilm(postgres.url))]
  } finally {
    await postgres.stop()
  }
}

async function measureFilm(...url: string[]): Promise<FilmFigures> {
  const child = fork('bench/media/film.ts', url)
  const ended = once(child, 'exit')
  const [message] = await Promise.race([once(child, 'message'), ended])
  await ended
  if (typeof message !== 'object') throw new Error(`The film was not measured: exit code ${String(message)}.`)
  return message as FilmFigures
}

const rowsOf = (name: string, { write, read, bare, first }: FilmFigures): Row[] => [
  [`${name}: 200 MB written`, speed(write.ms), ''],
  ['… memory added meanwhile', megabytes(write.bytes), ''],
  ['… read', speed(read.ms), '≥ 100 MB/s'],
  ['… memory added meanwhile', megabytes(read.bytes), '≤ 32 MB'],
  ['… a plain file of this size read', `${speed(bare.ms)}, ${(read.ms / bare.ms).toFixed(1)} × as fast`, ''],
  ['… memory added meanwhile', megabytes(bare.bytes), ''],
  ['… first bytes of a range: median, longest', `${first.median.toFixed(1)} ms, ${first.longest.toFixed(1)} ms`, ''],
]

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const speed = (ms: number): string => `${(ms / 1000).toFixed(1)} s, ${(200 / (ms / 1000)).toFixed(0)} MB/s`
