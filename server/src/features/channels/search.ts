/** What was said in channels, in the search over everything: membership stands inside the question. */
import type { FindHits, SearchHit, SearchQuery } from '../../core/resources/index.ts'
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
/** Of this many hits with the words, those are looked for that are what else is asked. */
const mostHits = 1000

export const createChannelSearch = (context: ChannelContext): FindHits => {
  const { indexes, people, store, vault } = context

  /** The channels that an account is in, those alone whose name is asked for. */
  const listWanted = async (accountId: string, name: string | null): Promise<string[]> => {
    const ids = await store.channels.idsOf(accountId)
    if (name === null) return ids
    const rows = await store.channels.listMany(ids)
    const named = await Promise.all(rows.map(async (row) => openName(await vault.keyring(ownerOf(row.id)), row)))
    return rows.flatMap(({ id }, at) => (foldText(named[at] ?? '').includes(name) ? [id] : []))
  }

  return async (accountId, wanted, limit) => {
    const { words, kinds, within, channel: name, person, from, after, before } = wanted
    if (isOfOthers(wanted) || (kinds !== null && !kinds.has(kind))) return []
    const narrowing = narrowedBy(wanted)
    // Without words and signs, nothing in particular is looked for.
    if (words === '' && !narrowing && name === null) return []
    const who = person === 'me' ? accountId : person === null ? null : await people.byUsername(person)
    if (person !== null && who === null) return []
    const channelIds = await listWanted(accountId, name ?? (within === null ? null : within.replace(/^#/, '')))
    if (channelIds.length === 0) return []
    const hits =
      words === ''
        ? []
        : await indexes.texts.find({
            text: words,
            partitions: channelIds.map(partitionOf),
            after: after ?? undefined,
            before: before ?? undefined,
            limit: narrowing ? mostHits : limit + 10,
            everyWord: true,
            typing: true,
          })
    const scoreOf = new Map(hits.map(({ id, score }) => [id.slice(entryOf('').length), score]))
    const { has, is } = wanted
    const floors = await store.history.floorsOf(accountId)
    const all = await store.messages.search(
      {
        channelIds,
        ids: words === '' ? null : [...scoreOf.keys()],
        authorId: from === 'me' ? accountId : who,
        names: is.has('mention') ? accountId : null,
        hasFile: has.has('file') || has.has('attachment'),
        hasLink: has.has('link'),
        isPinned: has.has('pin'),
        hasThread: has.has('thread'),
        after,
        before,
      },
      words === '' && floors.size === 0 ? limit : mostHits,
    )
    const rows = all.filter(({ channel_id: id, seq }) => seq > (floors.get(id)?.seq ?? 0))
    const channelOf = new Map(
      (await store.channels.listMany([...new Set(rows.map(({ channel_id: id }) => id))])).map((row) => [row.id, row]),
    )
    const best = rows.toSorted((one, other) => (scoreOf.get(other.id) ?? 0) - (scoreOf.get(one.id) ?? 0))
    const found: SearchHit[] = []
    for (const row of best.slice(0, limit)) {
      const channel = channelOf.get(row.channel_id)
      if (channel) found.push(await toHit(context, row, channel, words, scoreOf.get(row.id) ?? 0, accountId))
    }
    return found
  }
}

const ofMessages: ReadonlySet<string> = new Set(['attachment', 'link', 'file', 'pin', 'thread'])

/** What no message of a channel is or has is asked for. */
const isOfOthers = ({ from, has, is, model, tags }: SearchQuery): boolean =>
  from === 'model' ||
  model !== null ||
  tags.length > 0 ||
  [...has].some((word) => !ofMessages.has(word)) ||
  [...is].some((word) => word !== 'mention')

/** Whether not every message with the words is asked for. */
const narrowedBy = ({ from, has, is, person }: SearchQuery): boolean =>
  from !== null || person !== null || has.size > 0 || is.size > 0

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
