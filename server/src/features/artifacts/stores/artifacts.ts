/** Artifacts in the database, with their words in the index. */
import { type ArtifactKind, mostArtifacts, mostVersions } from '@atrium/contract/artifacts'
import { type ExpressionBuilder, type Transaction, sql } from 'kysely'
import { createTrashStore, type PlaceRow } from '../../../core/resources/index.ts'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { HoldRoom } from '../../../platform/files/held-room.ts'
import { readableOf } from '../../../platform/stored-json.ts'
import type { ArtifactsDeps } from '../context.ts'
import type { ArtifactRow, ArtifactTables } from '../tables.ts'
import {
  artifactToRow,
  partitionOf,
  roomOf,
  rowToArtifact,
  type StoredArtifact,
  type StoredVersion,
  type VersionChanges,
  versionToRow,
} from './rows.ts'

/** Where all artifacts stand, for the question who may see them. In the trash one is its owner's alone. */
export const artifactPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from artifacts`

/** So much of a content is found by its words, in UTF-16 units. */
const mostIndexed = 100_000

/** What a list is narrowed to: own ones, and those of the ids. */
export interface ArtifactFilter {
  /** null: none of its own. */
  readonly accountId: string | null
  readonly ids: readonly string[]
  readonly kind?: ArtifactKind | undefined
  readonly chatId?: string | undefined
}

export type ArtifactStore = ReturnType<typeof createArtifactStore>

export const createArtifactStore = ({
  access,
  database,
  files,
  indexes: { texts },
  vault,
}: Pick<ArtifactsDeps, 'database' | 'files' | 'indexes' | 'vault'> & {
  readonly access: Pick<ArtifactsDeps['access'], 'removeGrants'>
}) => {
  const tables = database.tables<ArtifactTables>()
  const live = () => tables.selectFrom('artifacts').selectAll().where('deleted_at', 'is', null)

  const openAll = async (rows: readonly ArtifactRow[]): Promise<StoredArtifact[]> => {
    const owners = [...new Set(rows.map((row) => row.account_id))]
    const keyrings = new Map(await Promise.all(owners.map(async (id) => [id, await vault.keyring(id)] as const)))
    return readableOf(rows, (row) => {
      const keys = keyrings.get(row.account_id)
      if (!keys) throw new Error('An account has no keyring.')
      return rowToArtifact(keys, row)
    })
  }

  /** The words of what is not in the trash: those of its title as they are typed, too. */
  const hashWords = ({ id, accountId, title, updatedAt, deletedAt }: StoredArtifact, content: string) => {
    const entry = { group: id, partition: partitionOf(accountId), time: updatedAt, facets: [] }
    const text = `${title}\n${content.slice(0, mostIndexed)}`
    return texts.hash(
      deletedAt === null
        ? [
            Object.assign({ id: `artifact:${id}`, text: title, prefixes: true }, entry),
            Object.assign({ id: `artifact-content:${id}`, text }, entry),
          ]
        : [],
    )
  }
  const removeTraces = async (trx: Transaction<ArtifactTables>, ids: readonly string[]): Promise<void> => {
    await texts.removeGroups(ids, trx)
    await access.removeGrants('artifact', ids, trx)
    await files.remove(ids.map(roomOf), trx)
  }
  /** All versions that are kept take room. */
  const holdRoom = async (
    hold: HoldRoom,
    trx: Transaction<ArtifactTables>,
    { id, accountId }: StoredArtifact,
  ): Promise<void> => {
    const { bytes } = await trx
      .selectFrom('artifact_versions')
      .select((by) => by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'))
      .where('artifact_id', '=', id)
      .executeTakeFirstOrThrow()
    await hold(trx, { id: roomOf(id), accountId, bytes: Number(bytes) })
  }

  /** The newest of those that are too many. */
  const newestBeyond = (trx: Transaction<ArtifactTables>, id: string) =>
    trx
      .selectFrom('artifact_versions')
      .select('number')
      .where('artifact_id', '=', id)
      .orderBy('number', 'desc')
      .limit(1)
      .offset(mostVersions)
  const removeUnlinked = async (trx: Transaction<ArtifactTables>, id: string, number: number): Promise<void> => {
    const links = trx.selectFrom('artifact_links').select('id').where('artifact_id', '=', id)
    await trx
      .deleteFrom('artifact_versions')
      .where('artifact_id', '=', id)
      .where('number', '=', number)
      .where(({ exists, not }) => not(exists(links.where('version', '=', number))))
      .execute()
  }

  return {
    /** Last changed first. Refuses with `bad_cursor`. */
    async page({ accountId, ids, kind, chatId }: ArtifactFilter, limit: number, cursor: string | undefined) {
      const before = cursor === undefined ? null : decodeCursor(cursor)
      const reached = (eb: ExpressionBuilder<ArtifactTables, 'artifacts'>) =>
        eb.or([
          ...(accountId === null ? [] : [eb('account_id', '=', accountId)]),
          ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ])
      const rows = await live()
        .where(reached)
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
        .$if(chatId !== undefined, (query) => query.where('chat_id', '=', chatId ?? ''))
        .$if(before !== null, (query) =>
          query.where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(before?.time ?? 0, before?.id ?? ''))),
        )
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { items, nextCursor } = cutPage(rows, limit, (row) => ({ time: row.updated_at, id: row.id }))
      return { items: await openAll(items), nextCursor }
    },

    /** Those of the ids that are there, of whomever. */
    async readMany(ids: readonly string[]): Promise<StoredArtifact[]> {
      return ids.length === 0 ? [] : openAll(await live().where('id', 'in', ids).execute())
    },

    /** The newest versions of those of the ids that the account has, outside of its trash. */
    async versionsOf(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await tables
        .selectFrom('artifacts')
        .select(['id', 'version'])
        .where('id', 'in', ids)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .execute()
      return new Map(rows.map(({ id, version }) => [id, version]))
    },

    /** Those of a chat that a person has edited last, the last of them at the end, with the version that stands. */
    async editedInChat(
      accountId: string,
      chatId: string,
      limit: number,
    ): Promise<Pick<StoredArtifact, 'id' | 'title' | 'version'>[]> {
      const rows = await tables
        .selectFrom('artifacts')
        .innerJoin('artifact_versions', (on) =>
          on
            .onRef('artifact_versions.artifact_id', '=', 'artifacts.id')
            .onRef('artifact_versions.number', '=', 'artifacts.version'),
        )
        .selectAll('artifacts')
        .where('artifacts.chat_id', '=', chatId)
        .where('artifacts.account_id', '=', accountId)
        .where('artifacts.deleted_at', 'is', null)
        .where('artifacts.version', '>', 1)
        .where('artifact_versions.author_kind', '=', 'person')
        .orderBy('artifacts.updated_at', 'desc')
        .orderBy('artifacts.id', 'desc')
        .limit(limit)
        .execute()
      return (await openAll(rows)).toReversed()
    },

    /**
     * `limit`: the account has as many as it may. `exists`: there is one with this id. Refuses with `quota_full` what
     * there is no room for.
     */
    async add(artifact: StoredArtifact, first: StoredVersion): Promise<'added' | 'exists' | 'limit'> {
      const keys = await vault.keyring(artifact.accountId)
      const [row, version] = [artifactToRow(keys, artifact), versionToRow(keys, first)]
      const words = await hashWords(artifact, first.content)
      const hold = await files.prepareHold()
      return await database.write<ArtifactTables, 'added' | 'exists' | 'limit'>(async (trx) => {
        const { count } = await trx
          .selectFrom('artifacts')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('account_id', '=', artifact.accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostArtifacts) return 'limit'
        const inserted = await trx
          .insertInto('artifacts')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!inserted) return 'exists'
        await trx.insertInto('artifact_versions').values(version).execute()
        await holdRoom(hold, trx, artifact)
        await texts.put(words, trx)
        return 'added'
      })
    },

    /**
     * Puts a changed one in the place of what was read, with the content that it has now, and changes its versions. false: it was changed, deleted, restored or handed over meanwhile. Refuses with `quota_full` what its owner has no room for.
     */
    async replace(
      before: StoredArtifact,
      after: StoredArtifact,
      content: string,
      { added, replaced, kept }: VersionChanges,
    ): Promise<boolean> {
      const keys = await vault.keyring(after.accountId)
      const [row, version] = [artifactToRow(keys, after), added && versionToRow(keys, added)]
      const words = await hashWords(after, content)
      const hold = version && (await files.prepareHold())
      return await database.write<ArtifactTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('artifacts')
          .set(row)
          .where('id', '=', before.id)
          // Not what has another owner meanwhile: all of the row is written.
          .where('account_id', '=', before.accountId)
          .where('version', '=', before.version)
          // A new title or language makes no version.
          .where('updated_at', '=', before.updatedAt)
          .where('deleted_at', before.deletedAt === null ? 'is' : '=', before.deletedAt)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        if (version && hold) {
          await trx.insertInto('artifact_versions').values(version).execute()
          await trx
            .deleteFrom('artifact_versions')
            .where('artifact_id', '=', before.id)
            .where('number', '<=', newestBeyond(trx, before.id))
            .execute()
          if (replaced !== null) await removeUnlinked(trx, before.id, replaced)
          await holdRoom(hold, trx, after)
        }
        if (kept !== null)
          await trx
            .updateTable('artifact_versions')
            .set({ autosave_since: null })
            .where('artifact_id', '=', before.id)
            .where('number', '=', kept)
            .execute()
        await texts.removeGroups([after.id], trx)
        await texts.put(words, trx)
        return true
      })
    },

    trash: createTrashStore<ArtifactTables, 'artifacts', StoredArtifact>('artifacts', {
      database,
      openAll,
      removeTraces,
    }),

    async count(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('artifacts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    removeAccount: (accountId: string): Promise<void> =>
      database.write<ArtifactTables, void>(async (trx) => {
        const rows = await trx.deleteFrom('artifacts').where('account_id', '=', accountId).returning('id').execute()
        await removeTraces(
          trx,
          rows.map(({ id }) => id),
        )
      }),
  }
}
