/** SQL of lists of items: narrowed, and in the order of time or of an album. */
import type { MediaKind } from '@atrium/contract/media-gallery'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { CursorKey } from '../../../platform/db/cursor.ts'
import type { Matching } from '../../../platform/db/search/index.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { MediaItemRow, MediaTables } from '../tables.ts'

/** What a list is narrowed to. Times are integer milliseconds. */
export interface ItemFilter {
  readonly accountId: string
  readonly kind?: MediaKind | undefined
  readonly model?: string | undefined
  /** What a job made. */
  readonly jobId?: string | undefined
  readonly favourite?: boolean | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly albumId?: string | undefined
  /** What was made from this one. */
  readonly sourceId?: string | undefined
  readonly oldestFirst?: boolean | undefined
  /** What is in the trash, by when it went there, instead of what is not. */
  readonly trash?: boolean | undefined
  /** Only these, what holds words, and what is in these albums. */
  readonly among?:
    | { readonly ids?: readonly string[]; readonly matching?: Matching; readonly albumIds: readonly string[] }
    | undefined
}

/** Where a row stands in a list by time. */
export const placeOf = ({ id, created_at, deleted_at }: MediaItemRow): CursorKey => ({
  time: deleted_at ?? created_at,
  id,
})

/** Of so many items for each that is wanted, the newest are tried first where many hold the words: one in twenty will do. */
const triedForEach = 20
/** Of them, so many come first: nearly all may hold the words. */
const triedFirst = 2
const mostTried = 1000

export const createListing = (database: Database) => {
  const tables = database.tables<MediaTables>()
  const inTime = (filter: ItemFilter, after: CursorKey | null, conditions: readonly RawBuilder<SqlBool>[]) => {
    const by = filter.trash ? 'deleted_at' : 'created_at'
    const [order, beyond] = filter.oldestFirst ? (['asc', '>'] as const) : (['desc', '<'] as const)
    return tables
      .selectFrom('media_items')
      .where((eb) => eb.and([...conditions]))
      .$if(after !== null, (query) =>
        query.where((eb) => eb(eb.refTuple(by, 'id'), beyond, eb.tuple(after?.time ?? 0, after?.id ?? ''))),
      )
      .orderBy(by, order)
      .orderBy('id', order)
  }
  /** Matches among the newest items of the list; null: those are too few to tell, or the order is another one. */
  const listNewest = async (
    { among, ...only }: ItemFilter,
    after: CursorKey | null,
    limit: number,
  ): Promise<MediaItemRow[] | null> => {
    const { matching, albumIds = [] } = among ?? {}
    if (matching?.few !== null || albumIds.length > 0 || only.trash || only.oldestFirst) return null
    const most = Math.min(limit * triedForEach, mostTried)
    const tried = await inTime(only, after, conditionsOf(only)).select('id').limit(most).execute()
    // Statements of their own: together, the planner of PostgreSQL takes the matches for few, and looks at all for each.
    const found: string[] = []
    for (const some of [tried.slice(0, limit * triedFirst), tried.slice(limit * triedFirst)]) {
      if (some.length === 0 || found.length >= limit) continue
      const ids = some.map(({ id }) => id)
      const { rows } = await sql<{ name: string }>`${matching.among(ids)}`.execute(tables)
      const names = new Set(rows.map(({ name }) => name))
      found.push(...ids.filter((id) => names.has(id)))
    }
    // Fewer were tried where there are no more.
    const isAll = tried.length < most
    if (found.length < limit && !isAll) return null
    if (found.length === 0) return []
    const rows = await inTime(only, after, [
      ...conditionsOf(only),
      sql`media_items.id in (${sql.join(found.slice(0, limit))})`,
    ])
      .selectAll()
      .limit(limit)
      .execute()
    return rows.length === limit || isAll ? rows : null
  }
  return {
    async list(filter: ItemFilter, after: CursorKey | null, limit: number): Promise<MediaItemRow[]> {
      const newest = await listNewest(filter, after, limit)
      return newest ?? (await inTime(filter, after, conditionsOf(filter)).selectAll().limit(limit).execute())
    },

    /** In the order of the album, each with its place. */
    async listInOrder(
      filter: ItemFilter & { readonly albumId: string },
      after: CursorKey | null,
      limit: number,
    ): Promise<(MediaItemRow & { place: number })[]> {
      return tables
        .selectFrom('media_items')
        .innerJoin('media_album_items as entry', (join) =>
          join.onRef('entry.media_id', '=', 'media_items.id').on('entry.album_id', '=', filter.albumId),
        )
        .selectAll('media_items')
        .select('entry.place')
        .where((eb) => eb.and(conditionsOf(filter)))
        .$if(after !== null, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('entry.place', 'entry.media_id'), '>', eb.tuple(after?.time ?? 0, after?.id ?? '')),
          ),
        )
        .orderBy('entry.place')
        .orderBy('entry.media_id')
        .limit(limit)
        .execute()
    },
  }
}

const conditionsOf = (filter: ItemFilter): RawBuilder<SqlBool>[] => {
  const { accountId, kind, model, jobId, favourite, from, to, albumId, sourceId, trash, among } = filter
  const all: RawBuilder<SqlBool>[] = [
    sql`media_items.account_id = ${accountId}`,
    trash ? sql`media_items.deleted_at is not null` : sql`media_items.deleted_at is null`,
  ]
  if (kind !== undefined) all.push(sql`media_items.kind = ${kind}`)
  if (model !== undefined) all.push(sql`media_items.model = ${model}`)
  if (jobId !== undefined) all.push(sql`media_items.job_id = ${jobId}`)
  if (favourite !== undefined) all.push(sql`media_items.favourite = ${favourite ? 1 : 0}`)
  if (from !== undefined) all.push(sql`media_items.created_at >= ${from}`)
  if (to !== undefined) all.push(sql`media_items.created_at < ${to}`)
  if (albumId !== undefined) all.push(inAlbums([albumId]))
  if (sourceId !== undefined)
    all.push(sql`media_items.id in (select media_id from media_sources where source_id = ${sourceId})`)
  if (among) {
    const { matching, albumIds } = among
    const few = among.ids ?? matching?.few
    const ids = few ? (few.length > 0 ? sql.join([...few]) : null) : matching?.all
    const ways = [
      ...(ids ? [sql<SqlBool>`media_items.id in (${ids})`] : []),
      ...(albumIds.length > 0 ? [inAlbums(albumIds)] : []),
    ]
    all.push(ways.length === 0 ? sql`1 = 0` : sql`(${sql.join(ways, sql` or `)})`)
  }
  return all
}

const inAlbums = (ids: readonly string[]): RawBuilder<SqlBool> =>
  sql`media_items.id in (select media_id from media_album_items where album_id in (${sql.join([...ids])}))`
export type Listing = ReturnType<typeof createListing>
