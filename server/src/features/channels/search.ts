/** What was said in channels, in the search over everything: membership stands inside the question. */
import type { FindHits, SearchHit } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import { openWords } from '../../platform/stored-json.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import { type ChannelContext } from './context.ts'
import { openForward } from './messages/forwards.ts'
import { openName } from './present.ts'
import { entryOf, isDirect, ownerOf, partitionOf } from './rules.ts'
import type { ChannelRow, MessageRow } from './tables.ts'

const kind = 'channel-message'
/** Of this many hits, those of the caller are looked for. */
const mostHits = 1000

export const createChannelSearch = (context: ChannelContext): FindHits => {
  const { indexes, store, vault } = context

  /** The channels that an account is in, those alone whose name is asked for. */
  const listWanted = async (accountId: string, within: string | null): Promise<string[]> => {
    const ids = await store.channels.idsOf(accountId)
    if (within === null) return ids
    const rows = await store.channels.listMany(ids)
    const named = await Promise.all(rows.map(async (row) => openName(await vault.keyring(ownerOf(row.id)), row)))
    return rows.flatMap(({ id }, at) => (foldText(named[at] ?? '').includes(within.replace(/^#/, '')) ? [id] : []))
  }

  return async (accountId, { words, kinds, within, from, has, is, model, after, before }, limit) => {
    if (words === '' || from === 'model' || has.size > 0 || is.size > 0 || model !== null) return []
    if (kinds !== null && !kinds.has(kind)) return []
    const channelIds = await listWanted(accountId, within)
    if (channelIds.length === 0) return []
    const hits = await indexes.texts.find({
      text: words,
      partitions: channelIds.map(partitionOf),
      after: after ?? undefined,
      before: before ?? undefined,
      limit: from === 'me' ? mostHits : limit + 10,
      everyWord: true,
      typing: true,
    })
    const prefix = entryOf('')
    const [messages, channels] = await Promise.all([
      store.messages.listMany(hits.map(({ id }) => id.slice(prefix.length))),
      store.channels.listMany([...new Set(hits.map(({ group }) => group))]),
    ])
    const messageOf = new Map(messages.map((row) => [entryOf(row.id), row]))
    const channelOf = new Map(channels.map((row) => [row.id, row]))
    const found: SearchHit[] = []
    for (const { id, group, score } of hits) {
      const [row, channel] = [messageOf.get(id), channelOf.get(group)]
      if (!row || row.content === null || !channel || (from === 'me' && row.author_id !== accountId)) continue
      found.push(await toHit(context, row, channel, words, score, accountId))
      if (found.length === limit) break
    }
    return found
  }
}

/** It is called by its channel, and a direct message by whoever wrote it: a person, or a model. */
const toHit = async (
  { people, store, vault }: ChannelContext,
  row: MessageRow,
  channel: ChannelRow,
  words: string,
  score: number,
  accountId: string,
): Promise<SearchHit> => {
  const keys = await vault.keyring(ownerOf(channel.id))
  const authorId = row.author_id
  const answer = authorId === null ? await store.answers.find(row.id) : null
  const author = authorId === null ? (answer?.name ?? '') : ((await people.named([authorId])).get(authorId)?.name ?? '')
  return {
    kind,
    id: row.id,
    title: isDirect(channel.type) ? author : openName(keys, channel),
    ...snippetOf(textOf(keys, row), words),
    chatId: channel.id,
    startChar: null,
    endChar: null,
    location: null,
    ownerId: authorId === accountId ? null : authorId,
    time: toIsoTime(row.created_at),
    score,
  }
}

/** What was written, and what was forwarded with it. */
const textOf = (keys: Keyring, row: MessageRow): string =>
  [
    openWords(keys, 'channel_messages.content', row.id, row.content ?? new Uint8Array()),
    openForward(keys, row)?.content,
  ]
    .filter((text) => text !== undefined && text !== '')
    .join('\n')
