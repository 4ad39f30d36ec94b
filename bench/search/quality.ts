/** How well Atrium finds, beside others, on judged collections. */
import { createPostgresPlace } from './postgres.ts'
import { judge, type Judged, type Quality } from './collections.ts'
import { peers } from './peers.ts'
import { openPlace, type Place } from './place.ts'

export interface QualityRow {
  readonly name: string
  /** One of each collection. */
  readonly figures: readonly Quality[]
}

export async function measureQuality(collections: readonly Judged[], postgres: string): Promise<QualityRow[]> {
  const rows: QualityRow[] = []
  for (const { name, open } of peers) {
    const figures: Quality[] = []
    for (const collection of collections) figures.push(await judge(collection, await open(collection)))
    rows.push({ name, figures })
  }
  for (const [name, url] of [
    ['Atrium, SQLite', undefined],
    ['Atrium, PostgreSQL', postgres],
  ] as const) {
    const figures: Quality[] = []
    for (const collection of collections) {
      const place = await openPlace(url === undefined ? undefined : await createPostgresPlace(url))
      try {
        figures.push(await judge(collection, await atrium(place, collection)))
      } finally {
        await place.close()
      }
    }
    rows.push({ name, figures })
  }
  return rows
}

const atrium = async (place: Place, { texts }: Judged) => {
  const entries = texts.map(({ id, text }) => ({ id, text, group: id, partition: 'all', time: 0, facets: [] }))
  await place.texts.put(await place.texts.hash(entries))
  return async (question: string) => {
    const hits = await place.texts.find({ text: question, partitions: ['all'], limit: 1000 })
    return hits.map(({ id }) => id)
  }
}
