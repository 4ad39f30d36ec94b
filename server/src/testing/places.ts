/** Things that only tests know, as the database answers where they stand. */
import type { ResourceType } from '@atrium/contract/resources'
import { type RawBuilder, sql } from 'kysely'
import type { PlaceRow } from '../core/resources/index.ts'
import type { Database, Migration } from '../platform/db/types.ts'

interface TestPlaceTables {
  test_places: PlaceRow & { kind: ResourceType }
}

export interface TestPlaces {
  put(kind: ResourceType, id: string, place: Omit<PlaceRow, 'id'>): Promise<void>
  remove(kind: ResourceType, id: string): Promise<void>
  /** What the resource of a kind answers with. */
  of(kind: ResourceType): RawBuilder<PlaceRow>
}

export const testPlaceMigrations: readonly Migration[] = [
  {
    id: 'test/0001-places',
    up: ({ text, int }) => [
      `create table test_places (kind ${text}, id ${text}, owner_id ${text}, within_id ${text}, shown ${int},
        primary key (kind, id))`,
    ],
  },
]

export const createTestPlaces = (database: Database): TestPlaces => {
  const tables = database.tables<TestPlaceTables>()
  return {
    async put(kind, id, place) {
      await tables
        .insertInto('test_places')
        .values({ kind, id, ...place })
        .onConflict((on) => on.columns(['kind', 'id']).doUpdateSet(place))
        .execute()
    },
    async remove(kind, id) {
      await tables.deleteFrom('test_places').where('kind', '=', kind).where('id', '=', id).execute()
    },
    of: (kind) => sql<PlaceRow>`select id, owner_id, within_id, shown from test_places where kind = ${sql.lit(kind)}`,
  }
}
