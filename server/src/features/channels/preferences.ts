/** What the caller wants to be told of in channels and threads. */
import { longestMuteMs, type channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { openWords } from '../../platform/stored-json.ts'
import { type ChannelContext, openMessage, requireChannel } from './context.ts'
import { channelNotices, presentChannels, threadNotices } from './present.ts'
import { ownerOf, usualLevel } from './rules.ts'
import { ofChannel } from './stores/preferences.ts'
import type { PreferenceRow } from './own-tables.ts'
import type { ChannelTables } from './tables.ts'

type Routes = Pick<typeof channelsRoutes, 'preferences' | 'updatePreferences' | 'updateThreadPreferences'>

/** So many letters of a thread name it. */
const mostLetters = 120

export const preferenceHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { announce, clock, store } = context

  const change = async (
    place: Pick<PreferenceRow, 'account_id' | 'channel_id' | 'root_id'>,
    body: { readonly level?: PreferenceRow['level'] | undefined; readonly mutedUntil?: string | null | undefined },
  ): Promise<PreferenceRow> => {
    const row = await store.preferences.change(place, {
      ...(body.level === undefined ? {} : { level: body.level }),
      ...(body.mutedUntil === undefined ? {} : { muted_until: readMute(body.mutedUntil, clock.now()) }),
    })
    await announce(place.account_id, { type: 'channels-changed', data: {} })
    return row
  }

  return {
    async preferences(_input, { caller: { accountId } }) {
      const rows = await store.preferences.listOf(accountId)
      const seen = await Promise.all(
        [...new Set(rows.map(({ channel_id: id }) => id))].map((id) => store.channels.read(id, accountId)),
      )
      const channels = await presentChannels(
        context,
        seen.filter((row) => row !== null),
        accountId,
      )
      const byId = new Map(channels.map((channel) => [channel.id, channel]))
      const items = await Promise.all(
        rows.map(async (row) => {
          const channel = byId.get(row.channel_id)
          const thread = row.root_id === ofChannel ? null : await nameThread(context, row, accountId)
          if (!channel || thread === undefined) return []
          return [{ channel, thread, notices: threadNotices(row) }]
        }),
      )
      return { items: items.flat(), nextCursor: null }
    },

    async updatePreferences({ body }, { resource, caller: { accountId } }) {
      const channel = await requireChannel(context, resource.id)
      const level = body.level === usualLevel(channel.type) ? null : body.level
      const place = { account_id: accountId, channel_id: channel.id, root_id: ofChannel }
      return channelNotices(channel, await change(place, { ...body, level }))
    },

    async updateThreadPreferences({ params: { messageId }, body }, { caller }) {
      const { row } = await openMessage(context, caller, messageId)
      const rootId = row.parent_id ?? row.id
      const place = { account_id: caller.accountId, channel_id: row.channel_id, root_id: rootId }
      const { last_seq: last } = await requireChannel(context, row.channel_id)
      const { level } = body
      if (level !== undefined && level !== 'nothing')
        await context.database.write<ChannelTables, void>((trx) =>
          level === null
            ? store.threads.unfollowChosen(trx, caller.accountId, rootId)
            : // Whoever chooses it sees what is there.
              store.threads.follow(trx, [{ ...place, read_seq: last }]),
        )
      return threadNotices(await change(place, body))
    },
  }
}

/** The beginning of a thread, without its words where they are not for this account; undefined where it is gone. */
const nameThread = async (
  { store, vault }: ChannelContext,
  { channel_id: channelId, root_id: id }: PreferenceRow,
  accountId: string,
) => {
  const row = await store.messages.find(id)
  if (!row) return undefined
  if (row.seq <= (await store.history.floorOf(channelId, accountId))) return { messageId: id, text: '' }
  const keys = await vault.keyring(ownerOf(channelId))
  const text = row.content === null ? '' : openWords(keys, 'channel_messages.content', id, row.content)
  return { messageId: id, text: Array.from(text).slice(0, mostLetters).join('') }
}

const readMute = (time: string | null, now: number): number | null => {
  if (time === null) return null
  const until = Date.parse(time)
  if (until > now && until <= now + longestMuteMs) return until
  const message = until > now ? 'at most a year from now' : 'this time is over'
  throw fail('validation_failed', undefined, [{ path: 'body.mutedUntil', message }])
}
