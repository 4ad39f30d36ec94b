/** Items of the gallery in the search over everything: by their titles and prompts, and by the names of albums. */
import type { FindHits, SearchQuery } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import type { MediaContext } from './context.ts'
import { partitionOf } from './stores/items.ts'
import { openAlbumName, openPrompt, openTitle } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

export const createMediaSearch =
  (context: MediaContext): FindHits =>
  async (accountId, wanted, limit) => {
    if (!mayBeMedia(wanted)) return []
    const within = wanted.within === null ? undefined : await albumsNamed(context, accountId, wanted.within)
    const found =
      wanted.words === ''
        ? await newest(context, accountId, wanted, within, limit)
        : await byWords(context, accountId, wanted, within, limit)
    const keys = await context.vault.keyring(accountId)
    const { model } = wanted
    return found
      .filter(({ row }) => model === null || (row.model !== null && foldText(row.model).includes(model)))
      .slice(0, limit)
      .map(({ row, score }) => ({
        kind: 'media',
        id: row.id,
        title: openTitle(keys, row),
        ...snippetOf(openPrompt(keys, row), wanted.words),
        chatId: null,
        ownerId: null,
        startChar: null,
        endChar: null,
        location: null,
        time: toIsoTime(row.created_at),
        score,
      }))
  }

const mediaKinds = ['image', 'video', 'audio'] as const
const kindsOf = ({ has }: SearchQuery) => mediaKinds.filter((kind) => has.has(kind))

/** Nobody else made them, and of what a thing may have, only its own kind is said of one: two have nothing in common. */
const mayBeMedia = (wanted: SearchQuery): boolean =>
  (wanted.kinds === null || wanted.kinds.has('media')) &&
  wanted.from === null &&
  wanted.is.size === 0 &&
  wanted.tags.length === 0 &&
  wanted.has.size === kindsOf(wanted).length &&
  wanted.has.size < 2 &&
  (wanted.words !== '' || wanted.kinds !== null || wanted.has.size > 0 || wanted.within !== null)

interface Match {
  readonly row: MediaItemRow
  readonly score: number
}

const byWords = async (
  context: MediaContext,
  accountId: string,
  wanted: SearchQuery,
  within: readonly string[] | undefined,
  limit: number,
): Promise<Match[]> => {
  const { albums, indexes, items } = context
  const [hits, named] = await Promise.all([
    indexes.texts.find({
      text: wanted.words,
      partitions: [partitionOf({ account_id: accountId, deleted_at: null })],
      facets: kindsOf(wanted).map((kind) => `has:${kind}`),
      everyWord: true,
      typing: true,
      limit,
      after: wanted.after ?? undefined,
      before: wanted.before ?? undefined,
    }),
    albums.find(accountId, wanted.words, limit),
  ])
  const scores = new Map(hits.map(({ group, score }) => [group, score]))
  const rows = await items.readMany(accountId, [...scores.keys()])
  const matches = rows.map((row) => ({ row, score: scores.get(row.id) ?? 0 }))
  for (const { id, score } of named)
    for (const { row } of await newest(context, accountId, wanted, [id], limit))
      if (!scores.has(row.id)) {
        scores.set(row.id, score)
        matches.push({ row, score })
      }
  const sorted = matches.toSorted((one, other) => other.score - one.score)
  if (within === undefined) return sorted
  const placed = await albums.ofItems(sorted.map(({ row }) => row.id))
  return sorted.filter(({ row }) => placed.get(row.id)?.some((id) => within.includes(id)))
}

/** The newest that the operators leave, of these albums where some are named. */
const newest = async (
  { listing }: MediaContext,
  accountId: string,
  wanted: SearchQuery,
  albumIds: readonly string[] | undefined,
  limit: number,
): Promise<Match[]> => {
  const [kind] = kindsOf(wanted)
  const among = albumIds && { albumIds }
  const filter = { accountId, kind, from: wanted.after ?? undefined, to: wanted.before ?? undefined, among }
  return (await listing.list(filter, null, limit)).map((row) => ({ row, score: 0 }))
}

const albumsNamed = async ({ albums, vault }: MediaContext, accountId: string, name: string): Promise<string[]> => {
  const keys = await vault.keyring(accountId)
  const rows = await albums.list(accountId)
  return rows.filter((row) => foldText(openAlbumName(keys, row)).includes(name)).map(({ id }) => id)
}
