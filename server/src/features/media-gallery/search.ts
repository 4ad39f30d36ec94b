/** Items of the gallery in the search over everything: by their titles and prompts. */
import type { FindHits, SearchQuery } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import type { MediaContext } from './context.ts'
import { partitionOf } from './stores/items.ts'
import { openPrompt, openTitle, toIsoTime } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

export const createMediaSearch =
  (context: MediaContext): FindHits =>
  async (accountId, wanted, limit) => {
    if (!mayBeMedia(wanted)) return []
    const scores = wanted.words === '' ? null : await byWords(context, accountId, wanted, limit)
    const rows = scores
      ? await context.items.readMany(accountId, [...scores.keys()])
      : await context.items.list(newest(accountId, wanted), null, limit)
    const keys = await context.vault.keyring(accountId)
    const { model } = wanted
    return rows
      .filter((row) => model === null || (row.model !== null && foldText(row.model).includes(model)))
      .map((row: MediaItemRow) => ({
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
        score: scores?.get(row.id) ?? 0,
      }))
  }

const mediaKinds = ['image', 'video', 'audio'] as const
const kindsOf = ({ has }: SearchQuery) => mediaKinds.filter((kind) => has.has(kind))

/** Nobody else made them, they are in no chat, and of what a thing may have, only its own kind is said of one. */
const mayBeMedia = (wanted: SearchQuery): boolean =>
  (wanted.kinds === null || wanted.kinds.has('media')) &&
  wanted.within === null &&
  wanted.from === null &&
  wanted.is.size === 0 &&
  wanted.has.size === kindsOf(wanted).length &&
  (wanted.words !== '' || wanted.kinds !== null || wanted.has.size > 0)

const byWords = async (
  { indexes }: MediaContext,
  accountId: string,
  wanted: SearchQuery,
  limit: number,
): Promise<Map<string, number>> => {
  const hits = await indexes.texts.find({
    text: wanted.words,
    partitions: [partitionOf({ account_id: accountId, deleted_at: null })],
    facets: kindsOf(wanted).map((kind) => `has:${kind}`),
    everyWord: true,
    typing: true,
    limit,
    after: wanted.after ?? undefined,
    before: wanted.before ?? undefined,
  })
  return new Map(hits.map(({ group, score }) => [group, score]))
}

/** Where there are operators alone. One is of one kind: two kinds have nothing in common. */
const newest = (accountId: string, wanted: SearchQuery) => {
  const [kind, another] = kindsOf(wanted)
  return {
    accountId,
    kind,
    from: wanted.after ?? undefined,
    to: wanted.before ?? undefined,
    ...(another ? { ids: [] } : {}),
  }
}
