/** Chats and messages for the one search over everything. */
import type { SearchHit, SearchQuery } from '../../../core/resources/index.ts'
import { foldText, snippetOf } from '../../../core/search/index.ts'
import { openWords } from '../../../platform/stored-json.ts'
import type { TextHit, TextQuery } from '../../../platform/db/search/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { ChatContext } from '../context.ts'
import { pathOfFolder } from '../rules.ts'
import { chatPartition, facetsOf, messageOfResults, resultsOf, titleEntry } from './indexing.ts'
import { listShown } from '../sharing/readers.ts'
import { openContent, openText, openTitle, textToSelection } from '../stores/rows.ts'
import type { ListFilter } from '../stores/sessions.ts'
import type { MessageRow, SessionRow } from '../tables.ts'
import { tagDigest } from '../tags.ts'

/** Finds what is written in an account's chats, and their titles, best first; nothing that is in the trash. */
export const findInChats = async (
  context: ChatContext,
  accountId: string,
  wanted: SearchQuery,
  limit: number,
): Promise<readonly SearchHit[]> => {
  const kinds = kindsOf(wanted)
  if (kinds.length === 0) return []
  const keys = await context.vault.keyring(accountId)
  if (wanted.words === '') return latest(context, keys, accountId, wanted, limit)
  const within = narrowsChats(wanted) ? await idsWanted(context, keys, accountId, wanted) : null
  // What went to the trash a moment ago may still be in reach of the index; it is left out here.
  for (let asked = limit + 10; ; asked *= 4) {
    const query = {
      text: wanted.words,
      partitions: [chatPartition(accountId)],
      facets: wantedFacets(wanted, kinds),
      after: wanted.after ?? undefined,
      before: wanted.before ?? undefined,
      limit: asked,
      everyWord: true,
      typing: true,
    }
    const hits = await (within ? findWithin(context, query, within) : context.texts.find(query))
    const found = await rowsToHits(context, keys, accountId, wanted.words, hits)
    if (found.length >= limit || hits.length < asked || asked > mostHits) return found.slice(0, limit)
  }
}

const mostHits = 5000
/** The most chats that the index is asked for at once. */
const chatsAtOnce = 2_000

/** The best hits in some chats, however many these are. */
const findWithin = async (
  { texts }: Pick<ChatContext, 'texts'>,
  query: TextQuery,
  chatIds: readonly string[],
): Promise<readonly TextHit[]> => {
  const hits: TextHit[] = []
  for (let start = 0; start < chatIds.length; start += chatsAtOnce)
    hits.push(...(await texts.find({ ...query, groups: chatIds.slice(start, start + chatsAtOnce) })))
  return hits.toSorted((one, other) => other.score - one.score).slice(0, query.limit)
}

export const kindsOf = ({ kinds, from, has }: SearchQuery): ('chat' | 'message')[] => {
  // Only messages are from somebody, or have something.
  const possible = from !== null || has.size > 0 ? (['message'] as const) : (['chat', 'message'] as const)
  return possible.filter((kind) => kinds === null || kinds.has(kind))
}

export const wantedFacets = ({ from, has }: SearchQuery, kinds: readonly string[]): string[] => [
  ...(kinds.length === 1 ? [`kind:${kinds[0]}`] : []),
  ...(from === null ? [] : [`from:${from === 'me' ? 'user' : 'assistant'}`]),
  ...[...has].map((what) => `has:${what}`),
]

/** What was hit, as far as it is still there. */
export const rowsToHits = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  words: string,
  hits: readonly { readonly id: string; readonly group: string; readonly score: number }[],
): Promise<SearchHit[]> => {
  const ids = [...new Set(hits.flatMap(({ id, group }) => (id === titleEntry(group) ? [] : [messageOf(id)])))]
  const [messages, sessions] = await Promise.all([
    context.store.indexing.messages(accountId, ids),
    context.store.indexing.sessions(accountId, [...new Set(hits.map(({ group }) => group))]),
  ])
  const rowOf = new Map(messages.map((row) => [row.id, row]))
  const chatOf = new Map(sessions.map((row) => [row.id, row]))
  const found = hits.flatMap(({ id, group, score }): SearchHit[] => {
    const chat = chatOf.get(group)
    if (!chat) return []
    if (id === titleEntry(group)) return [foundChat(keys, chat, words, score)]
    const row = rowOf.get(messageOf(id))
    if (!row) return []
    const text = messageOfResults(id) === null ? openText(keys, row) : resultsOf(openContent(keys, row))
    return [foundMessage(keys, row, chat, { text, words, score })]
  })
  // A message of which both its words and its results were hit is named once, by the better one.
  const best = new Set<string>()
  return found.filter(({ id }) => !best.has(id) && best.add(id))
}

const messageOf = (entryId: string): string => messageOfResults(entryId) ?? entryId

const foundChat = (keys: Keyring, chat: SessionRow, words: string, score: number): SearchHit => {
  const title = openTitle(keys, chat)
  const place = { chatId: chat.id, startChar: null, endChar: null, location: null, ownerId: null }
  return {
    kind: 'chat',
    id: chat.id,
    title,
    ...snippetOf(title, words),
    ...place,
    time: toIsoTime(chat.updated_at),
    score,
  }
}

const foundMessage = (
  keys: Keyring,
  row: MessageRow,
  chat: SessionRow,
  { text, words, score }: { readonly text: string; readonly words: string; readonly score: number },
): SearchHit => ({
  kind: 'message',
  id: row.id,
  title: openTitle(keys, chat),
  ...snippetOf(text, words),
  chatId: chat.id,
  startChar: null,
  endChar: null,
  location: null,
  ownerId: null,
  time: toIsoTime(row.created_at),
  score,
})

const sliceSize = 200
/** The most chats that are read where the query has no words. */
const latestChats = 60
const latestMessages = 400

/** Live chats of a filter, latest first, in slices. */
async function* allChats(
  context: ChatContext,
  accountId: string,
  filter: Pick<ListFilter, 'tags' | 'after' | 'before'>,
): AsyncGenerator<SessionRow[]> {
  for (const archived of [false, true]) {
    let key = null
    for (;;) {
      const rows: SessionRow[] = await context.store.sessions.slice(accountId, { ...filter, archived }, key, sliceSize)
      yield rows
      const end = rows.at(-1)
      if (!end || rows.length < sliceSize) break
      key = { time: end.updated_at, id: end.id }
      await new Promise(setImmediate)
    }
  }
}

/** Whether only some chats are meant, by what they are and not by what is said in them. */
const narrowsChats = ({ within, is, model, tags }: SearchQuery): boolean =>
  within !== null || is.size > 0 || model !== null || tags.length > 0

/**
 * Whether a chat is called, or lies in one of these projects, and asks a model as the query says; titles are sealed, so
 * they are opened last.
 */
export const isChatWanted = (
  keys: Keyring,
  row: SessionRow,
  { within, model }: SearchQuery,
  projects: ReadonlySet<string> = new Set(),
): boolean =>
  (model === null || foldText(textToSelection(row.selection)?.model ?? '').includes(model)) &&
  (within === null || projects.has(row.folder_id ?? '') || foldText(openTitle(keys, row)).includes(within))

/** The projects of an account that are called as the query says, and those within them. */
const projectsWanted = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  { within }: SearchQuery,
): Promise<ReadonlySet<string>> => {
  if (within === null) return new Set()
  const folders = await context.store.folders.list(accountId)
  const called = folders.filter(({ id, name }) =>
    foldText(openWords(keys, 'chat_folders.name', id, name)).includes(within),
  )
  const ids = new Set(called.map(({ id }) => id))
  return new Set(folders.flatMap(({ id }) => (pathOfFolder(folders, id).some((each) => ids.has(each.id)) ? [id] : [])))
}

/** The chats that a query means, latest first, in slices; in which something may have been said in its time, `inTime`. */
async function* chatsWanted(
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  wanted: SearchQuery,
  inTime = false,
): AsyncGenerator<SessionRow[]> {
  const { is } = wanted
  const tags = wanted.tags.map((name) => tagDigest(context, accountId, name))
  const projects = await projectsWanted(context, keys, accountId, wanted)
  const time = inTime ? { after: wanted.after, before: wanted.before } : {}
  for await (const rows of allChats(context, accountId, { tags, ...time })) {
    const some = rows.filter(
      (row) =>
        (!is.has('pinned') || row.pinned === 1) &&
        (!is.has('archived') || row.archived === 1) &&
        isChatWanted(keys, row, wanted, projects),
    )
    const shared = is.has('shared') ? await listShown(context, some) : null
    yield shared ? some.filter(({ id }) => shared.has(id)) : some
  }
}

/** All of them by their ids: the rows of many would be much to hold. */
const idsWanted = async (...query: Parameters<typeof chatsWanted>): Promise<string[]> => {
  const ids: string[] = []
  for await (const rows of chatsWanted(...query)) ids.push(...rows.map(({ id }) => id))
  return ids
}

/** The first of them. */
const firstWanted = async (most: number, ...query: Parameters<typeof chatsWanted>): Promise<SessionRow[]> => {
  const found: SessionRow[] = []
  for await (const rows of chatsWanted(...query)) {
    found.push(...rows)
    if (found.length >= most) break
  }
  return found.slice(0, most)
}

/** Without words: the newest messages that are as asked, or the chats that were named. */
const latest = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  wanted: SearchQuery,
  limit: number,
): Promise<SearchHit[]> => {
  const plain = wanted.from === null && wanted.has.size === 0 && wanted.after === null && wanted.before === null
  if (plain && !narrowsChats(wanted)) return []
  const chats = await firstWanted(plain ? limit : latestChats, context, keys, accountId, wanted, true)
  if (plain) return chats.map((chat) => foundChat(keys, chat, '', 0))
  const chatOf = new Map(chats.map((row) => [row.id, row]))
  const role = wanted.from === null ? undefined : wanted.from === 'me' ? 'user' : 'assistant'
  const rows = await context.store.indexing.latest([...chatOf.keys()], { ...wanted, role }, latestMessages)
  const found: SearchHit[] = []
  for (const row of rows) {
    const chat = chatOf.get(row.chat_id)
    if (!chat || row.role === 'summary' || row.status === 'running') continue
    const facets = facetsOf(row.role, row.attachment_count, openContent(keys, row))
    if (![...wanted.has].every((what) => facets.includes(`has:${what}`))) continue
    found.push(foundMessage(keys, row, chat, { text: openText(keys, row), words: '', score: 0 }))
    if (found.length === limit) break
  }
  return found
}
