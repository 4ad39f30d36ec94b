/** What people type and do not send, kept for their other devices. */
import type { ChannelDraft, channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import { readableOf } from '../../platform/stored-json.ts'
import { type ChannelContext, requireChannel } from './context.ts'
import { ofChannel } from './stores/preferences.ts'
import type { DraftRow } from './own-tables.ts'

export const draftHandlers = (
  context: ChannelContext,
): Handlers<Pick<typeof channelsRoutes, 'drafts' | 'saveDraft'>> => {
  const { announce, clock, store, vault } = context
  return {
    async drafts(_input, { caller }) {
      return { items: await listDrafts(context, caller.accountId), nextCursor: null }
    },

    async saveDraft({ body: { content, parentId = null } }, { resource, caller: { accountId } }) {
      const channel = await requireChannel(context, resource.id)
      const root = parentId === null ? null : await store.messages.find(parentId)
      if (parentId !== null && (root?.channel_id !== channel.id || root.parent_id !== null))
        throw fail('channel_message_not_found')
      const place = { account_id: accountId, channel_id: channel.id, root_id: parentId ?? ofChannel }
      const keys = await vault.keyring(accountId)
      const sealed = content.trim() === '' ? null : keys.seal('channel_drafts.content', draftName(place), content)
      const updatedAt = toIsoTime(await store.drafts.save(place, sealed, clock.now()))
      await announce(accountId, { type: 'channel-draft-changed', data: { channelId: channel.id, parentId, updatedAt } })
      return { updatedAt }
    },
  }
}

/** All that an account typed and did not send. */
export const listDrafts = async ({ store, vault }: ChannelContext, accountId: string): Promise<ChannelDraft[]> => {
  const keys = await vault.keyring(accountId)
  return readableOf(await store.drafts.listOf(accountId), (row) => ({
    channelId: row.channel_id,
    parentId: row.root_id === ofChannel ? null : row.root_id,
    content: keys.open('channel_drafts.content', draftName(row), row.content),
    updatedAt: toIsoTime(row.updated_at),
  }))
}

/** The name of the row under its seal. */
const draftName = (row: Pick<DraftRow, 'account_id' | 'channel_id' | 'root_id'>): string =>
  `${row.account_id}:${row.channel_id}:${row.root_id}`
