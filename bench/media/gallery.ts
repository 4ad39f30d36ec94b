/** A gallery of ten thousand items beside one of ten, over HTTP: a page of each, searches, and a screen of thumbnails. */
import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { startTestApp } from '../../server/src/testing/app.ts'
import { startPostgres } from '../../server/src/testing/postgres.ts'
import type { Client } from '../../server/src/testing/client.ts'
import { samplePng } from '../../server/src/testing/sample-pictures.ts'
import type { Row } from '../row.ts'

const many = 10_000
const few = 10
const screen = 60
const rounds = 60
/** As many as a browser asks for at a time. */
const atOnce = 6

/** On an encrypted SQLite file, and on a PostgreSQL of its own. */
export async function measureGallery(): Promise<Row[]> {
  const postgres = await startPostgres()
  try {
    return [...(await measureOn('SQLite', {})), ...(await measureOn('PostgreSQL', { DATABASE_URL: postgres.url }))]
  } finally {
    await postgres.stop()
  }
}

async function measureOn(database: string, env: Readonly<Record<string, string>>): Promise<Row[]> {
  const app = await startTestApp({ env, fromNothing: true })
  try {
    await app.signUpAdmin()
    const [large, small, pictured] = [await app.signUpUser(), await app.signUpUser(), await app.signUpUser()]
    await fill(small, few, samplePng(4, 3))
    await fill(large, many, samplePng(4, 3))
    await fill(pictured, screen, samplePng(1024, 768))
    const rows: Row[] = []
    for (const [name, query] of [
      ['a first page of ten', { limit: few }],
      ['a search that finds one', { limit: few, q: 'number7x' }],
      ['a search that finds one in ten', { limit: few, q: 'kite3' }],
      ['a search that finds all', { limit: few, q: 'kite' }],
    ] as const) {
      // By turns, so that both have the same machine.
      const times = { large: [] as number[], small: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        times.small.push(await timeOf(() => small.call(routes.list, { query })))
        times.large.push(await timeOf(() => large.call(routes.list, { query })))
      }
      const [of10, of10k] = [medianOf(times.small), medianOf(times.large)]
      const figure = `${of10.toFixed(1)} ms, ${of10k.toFixed(1)} ms, ${(of10k / of10).toFixed(2)} ×`
      rows.push([`${database}: ${name}, of ${few} items, of ${many}`, figure, '≤ 1.2 ×'])
    }
    const { items } = await pictured.call(routes.list, { query: { limit: screen } })
    const thumbnails = await timeOf(() =>
      several(items, async ({ thumbnail }) => {
        const response = await pictured.raw(thumbnail ?? '')
        await response.arrayBuffer()
      }),
    )
    rows.push([
      `${database}: ${screen} thumbnails of a screen, ${atOnce} at a time`,
      `${thumbnails.toFixed(0)} ms`,
      '≤ 1 s',
    ])
    return rows
  } finally {
    await app.close()
  }
}

const fill = async (client: Client, count: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> =>
  several([...Array(count).keys()], async (number) => {
    const query = { name: `number${number}x kite${number % 10}.png` }
    await client.call(routes.upload, { query, file: new Blob([bytes], { type: 'image/png' }) })
  })

const several = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
