/** Chats and messages for the one search over everything. */
import { type Hit, type Wanted, fold, snippetOf } from '../../../core/search/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Room } from '../context.ts'
import { chatShelf, facetsOf, titleEntry } from './indexing.ts'
import { openContent, openText, openTitle, time } from '../stores/rows.ts'
import type { MessageRow, SessionRow } from '../tables.ts'

/** Finds what is written in an account's chats, and their titles, best first; nothing that is in the trash. */
export const findInChats = async (
  room: Room,
  accountId: string,
  wanted: Wanted,
  limit: number,
): Promise<readonly Hit[]> => {
  const kinds = kindsOf(wanted)
  if (kinds.length === 0) return []
  const keys = await room.vault.keyring(accountId)
  const within = wanted.within === null ? null : await chatsNamed(room, keys, accountId, wanted.within)
  if (within?.length === 0) return []
  if (wanted.words === '') return latest(room, keys, accountId, wanted, within, limit)
  // What went to the trash a moment ago may still be in reach of the index; it is left out here.
  for (let asked = limit + 10; ; asked *= 4) {
    const hits = await room.texts.find({
      text: wanted.words,
      shelves: [chatShelf(accountId)],
      groups: within?.map(({ id }) => id),
      facets: facetsWanted(wanted, kinds),
      after: wanted.after ?? undefined,
      before: wanted.before ?? undefined,
      limit: asked,
      everyWord: true,
      typing: true,
    })
    const found = await presentHits(room, keys, accountId, wanted.words, hits)
    if (found.length >= limit || hits.length < asked || asked > mostHits) return found.slice(0, limit)
  }
}

const mostHits = 5000

export const kindsOf = ({ kinds, from, has }: Wanted): ('chat' | 'message')[] => {
  // Only messages are from somebody, or have something.
  const possible = from !== null || has.size > 0 ? (['message'] as const) : (['chat', 'message'] as const)
  return possible.filter((kind) => kinds === null || kinds.has(kind))
}

export const facetsWanted = ({ from, has }: Wanted, kinds: readonly string[]): string[] => [
  ...(kinds.length === 1 ? [`kind:${kinds[0]}`] : []),
  ...(from === null ? [] : [`from:${from === 'me' ? 'user' : 'assistant'}`]),
  ...[...has].map((what) => `has:${what}`),
]

/** What was hit, as far as it is still there. */
export const presentHits = async (
  room: Room,
  keys: Keyring,
  accountId: string,
  words: string,
  hits: readonly { readonly id: string; readonly group: string; readonly score: number }[],
): Promise<Hit[]> => {
  const ids = hits.flatMap(({ id, group }) => (id === titleEntry(group) ? [] : [id]))
  const [messages, sessions] = await Promise.all([
    room.store.indexing.messages(accountId, ids),
    room.store.indexing.sessions(accountId, [...new Set(hits.map(({ group }) => group))]),
  ])
  const messageOf = new Map(messages.map((row) => [row.id, row]))
  const chatOf = new Map(sessions.map((row) => [row.id, row]))
  return hits.flatMap(({ id, group, score }): Hit[] => {
    const chat = chatOf.get(group)
    if (!chat) return []
    if (id === titleEntry(group)) return [foundChat(keys, chat, words, score)]
    const message = messageOf.get(id)
    return message ? [foundMessage(keys, message, chat, words, score)] : []
  })
}

const foundChat = (keys: Keyring, chat: SessionRow, words: string, score: number): Hit => {
  const title = openTitle(keys, chat)
  const place = { chatId: chat.id, startChar: null, endChar: null, location: null, ownerId: null }
  return { kind: 'chat', id: chat.id, title, ...snippetOf(title, words), ...place, time: time(chat.updated_at), score }
}

const foundMessage = (keys: Keyring, row: MessageRow, chat: SessionRow, words: string, score: number): Hit => ({
  kind: 'message',
  id: row.id,
  title: openTitle(keys, chat),
  ...snippetOf(openText(keys, row), words),
  chatId: chat.id,
  startChar: null,
  endChar: null,
  location: null,
  ownerId: null,
  time: time(row.created_at),
  score,
})

const sliceSize = 200
/** So many chats are looked at where there are no words to go by. */
const latestChats = 60
const latestMessages = 400

/** Live chats, latest first, in slices. */
async function* allChats(room: Room, accountId: string): AsyncGenerator<SessionRow[]> {
  for (const archived of [false, true]) {
    let key = null
    for (;;) {
      const rows: SessionRow[] = await room.store.sessions.slice(accountId, { archived }, key, sliceSize)
      yield rows
      const end = rows.at(-1)
      if (!end || rows.length < sliceSize) break
      key = { time: end.updated_at, id: end.id }
      await new Promise(setImmediate)
    }
  }
}

/** Chats whose title holds the words; titles are sealed, so they are opened slice by slice. */
const chatsNamed = async (room: Room, keys: Keyring, accountId: string, name: string): Promise<SessionRow[]> => {
  const named: SessionRow[] = []
  for await (const rows of allChats(room, accountId)) {
    named.push(...rows.filter((row) => fold(openTitle(keys, row)).includes(name)))
    if (named.length >= sliceSize) break
  }
  return named.slice(0, sliceSize)
}

/** Without words: the newest messages that are as asked, or the chats that were named. */
const latest = async (
  room: Room,
  keys: Keyring,
  accountId: string,
  wanted: Wanted,
  within: readonly SessionRow[] | null,
  limit: number,
): Promise<Hit[]> => {
  const plain = wanted.from === null && wanted.has.size === 0 && wanted.after === null && wanted.before === null
  if (plain) return (within ?? []).slice(0, limit).map((chat) => foundChat(keys, chat, '', 0))
  const chats = within ?? (await room.store.sessions.slice(accountId, { archived: false }, null, latestChats))
  const chatOf = new Map(chats.slice(0, latestChats).map((row) => [row.id, row]))
  const role = wanted.from === null ? undefined : wanted.from === 'me' ? 'user' : 'assistant'
  const rows = await room.store.indexing.latest([...chatOf.keys()], { ...wanted, role }, latestMessages)
  const found: Hit[] = []
  for (const row of rows) {
    const chat = chatOf.get(row.chat_id)
    if (!chat || row.role === 'summary' || row.status === 'running') continue
    const facets = facetsOf(row.role, row.attachment_count, openContent(keys, row))
    if (![...wanted.has].every((what) => facets.includes(`has:${what}`))) continue
    found.push(foundMessage(keys, row, chat, '', 0))
    if (found.length === limit) break
  }
  return found
}
