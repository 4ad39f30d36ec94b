/** Documents in the search over everything: by name and by content. */
import type { FindHits, SearchHit, SearchQuery } from '../resources/index.ts'
import { foldText, snippetOf } from '../search/index.ts'
import { readReach, type DocumentContext } from './context.ts'
import { chunkId, isNameId, openCollectionName, openName, type StoredPassage } from './stores/index.ts'
import type { DocumentRow } from './tables.ts'
import { everyCollection, openScope } from './retrieval/scope.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

/** Several hits of a document are one. */
const widely = 5
const mostChats = 1_000

export const createDocumentSearch =
  (context: DocumentContext): FindHits =>
  async (accountId, wanted, limit) => {
    if (!mayBeDocument(wanted)) return []
    const collectionIds =
      wanted.within === null
        ? await everyCollection(context, accountId)
        : await collectionsNamed(context, accountId, wanted.within)
    const best =
      wanted.words === ''
        ? await newest(context, accountId, wanted, collectionIds, limit)
        : await byWords(context, accountId, wanted, collectionIds, limit)
    const passages = new Map(
      (await context.store.contents.passages([...best].map(([id, hit]) => hit.passageId ?? chunkId(id, 0)))).map(
        (passage) => [passage.documentId, passage],
      ),
    )
    // Asked again after it was read: a share may have ended meanwhile.
    const rows = await context.store.rows.visibleMany(accountId, await readReach(context, accountId), [...best.keys()])
    const byId = new Map(rows.filter(({ state }) => state === 'completed').map((row) => [row.id, row]))
    const found: SearchHit[] = []
    for (const [id, match] of best) {
      const row = byId.get(id)
      if (row) found.push(await toHits(context, accountId, row, passages.get(id), { words: wanted.words, ...match }))
    }
    return found.slice(0, limit)
  }

/** Nobody wrote documents here, and of what a thing may have, only `document` is said of them. */
const mayBeDocument = ({ kinds, from, has, is, model, tags, words, within, after, before }: SearchQuery): boolean =>
  (kinds === null || kinds.has('document')) &&
  from === null &&
  // A document has no model and no tags, and is neither pinned nor archived.
  is.size === 0 &&
  model === null &&
  tags.length === 0 &&
  [...has].every((what) => what === 'document') &&
  (words !== '' || kinds !== null || has.size > 0 || within !== null || after !== null || before !== null)

interface Match {
  readonly score: number
  /** null: only its name was found. */
  readonly passageId: string | null
  /** How many more of its passages were found. */
  readonly more: number
}

const byWords = async (
  context: DocumentContext,
  accountId: string,
  { words, within, after, before }: SearchQuery,
  collectionIds: readonly string[],
  limit: number,
): Promise<Map<string, Match>> => {
  const everywhere = within === null
  const temporary = new Set(await context.temporarySessions(accountId))
  const chats = everywhere
    ? (await context.store.scope.sessionsOf(accountId, mostChats)).filter((id) => !temporary.has(id))
    : []
  const open = await openScope(context, accountId, { sessionId: null, library: everywhere, collectionIds })
  const asked = {
    text: words,
    everyWord: true,
    typing: true,
    limit: limit * widely,
    after: after ?? undefined,
    before: before ?? undefined,
  }
  const hits = await Promise.all([
    context.indexes.texts.find({
      ...asked,
      partitions: [...context.store.scope.partitions(open), ...chats.map((id) => `session:${id}`)],
    }),
    context.indexes.texts.find({ ...asked, ...context.store.scope.places(open) }),
  ])
  const best = new Map<string, Match>()
  const passages = new Map<string, Set<string>>()
  for (const { id, group, score } of hits.flat().toSorted((a, b) => b.score - a.score)) {
    const known = best.get(group)
    const passageId = known?.passageId ?? (isNameId(id) ? null : id)
    const found = passages.get(group) ?? new Set<string>()
    if (!isNameId(id)) found.add(id)
    passages.set(group, found)
    best.set(group, { score: Math.max(score, known?.score ?? 0), passageId, more: Math.max(0, found.size - 1) })
  }
  return best
}

/** Where there are operators alone. */
const newest = async (
  context: DocumentContext,
  accountId: string,
  { within, after, before }: SearchQuery,
  collectionIds: readonly string[],
  limit: number,
): Promise<Map<string, Match>> => {
  const { collections: reachable, documents: single } = await readReach(context, accountId)
  const withoutSessions = await context.temporarySessions(accountId)
  const listing = { accountId, reachable, single, in: 'all', status: 'completed', withoutSessions } as const
  const place = before === null ? null : { time: before, id: '' }
  const rows: DocumentRow[] = []
  if (within === null) rows.push(...(await context.store.rows.list(listing, place, limit)))
  else
    for (const collectionId of collectionIds)
      rows.push(...(await context.store.rows.list({ ...listing, collectionId }, place, limit)))
  const hits = rows
    .filter(({ uploaded_at }) => after === null || uploaded_at >= after)
    .sort((a, b) => b.uploaded_at - a.uploaded_at)
    .map(({ id }): [string, Match] => [id, { score: 0, passageId: null, more: 0 }])
  return new Map(hits)
}

const collectionsNamed = async (context: DocumentContext, accountId: string, name: string): Promise<string[]> => {
  const rows = await context.store.collections.readMany(await everyCollection(context, accountId))
  const found: string[] = []
  for (const row of rows) {
    const keys = await context.vault.keyring(row.account_id)
    if (foldText(openCollectionName(keys, row)).includes(name)) found.push(row.id)
  }
  return found
}

const toHits = async (
  context: DocumentContext,
  accountId: string,
  row: DocumentRow,
  passage: StoredPassage | undefined,
  { words, score, passageId, more }: Pick<SearchQuery, 'words'> & Match,
): Promise<SearchHit> => {
  const own = row.account_id === accountId
  const isHit = passageId !== null && passage !== undefined
  return {
    kind: 'document',
    id: row.id,
    title: openName(await context.vault.keyring(row.account_id), row),
    ...snippetOf(passage?.text ?? '', words),
    chatId: own ? row.session_id : null,
    ownerId: own ? null : row.account_id,
    startChar: isHit ? passage.start : null,
    endChar: isHit ? passage.end : null,
    location: isHit ? passage.location : null,
    ...(more > 0 ? { more } : {}),
    time: toIsoTime(row.uploaded_at),
    score,
  }
}
