/**
 * Forks: the active path, up to a message, copied into a chat of the caller's own. Of a chat of somebody else, what a
 * reader sees is copied, sealed with the keys of the reader, attachments too.
 */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ForkAttachments, type ForkKeys, attachmentsFor } from './fork-attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readMessage } from '../messages/handlers.ts'
import { readChatSummary } from '../messages/serialise.ts'
import { copyReplays } from '../generations/replays.ts'
import {
  openContent,
  openSettings,
  openTitle,
  sealContent,
  sealForkedFrom,
  sealSettings,
  sealTitle,
} from '../stores/rows.ts'
import { type NewSessionRow, initialState } from '../stores/sessions.ts'
import type { MessageRow, SessionRow } from '../tables.ts'
import { removeChatForGood } from '../trash.ts'
import { expiryFrom } from './temporary.ts'

type Routes = Pick<typeof chatRoutes, 'fork'>

/** Messages that are copied in one transaction; between two of them everybody else gets a turn. */
const sliceSize = 100

export const forkHandlers = (context: ChatContext): Handlers<Routes> => ({
  async fork({ body }, { caller, resource }) {
    const { chat, keys: from } = await openChat(context, resource.id, resource.ownerId)
    const keys = { from, to: await context.vault.keyring(caller.accountId) }
    const last = body.messageId === undefined ? null : await readMessage(context, chat, body.messageId)
    if (last?.role === 'summary') throw fail('message_not_found')
    const id = context.clock.id()
    const fork = forkOf(context, keys, chat, { id, accountId: caller.accountId, last, title: body.title })
    await context.store.sessions.insert(fork)
    try {
      const { leaf, summary } = await copyPath(context, keys, chat, fork, last?.id ?? chat.active_leaf_id)
      await context.store.sessions.update(id, { active_leaf_id: leaf, summary_id: summary, ready: 1 })
    } catch (error) {
      await removeChatForGood(context, id)
      throw error
    }
    context.announceChange(caller.accountId, id)
    return readChatSummary(context, keys.to, (await openChat(context, id, caller.accountId)).chat)
  },
})

/** Removes copies that an earlier process did not finish. */
export const removeUnfinishedForks = async (context: ChatContext): Promise<void> => {
  const before = context.clock.now() - oldEnoughMs
  for (const id of await context.store.sessions.listUnfinished(before)) await removeChatForGood(context, id)
}

/** Another process may be copying just now; nothing takes this long. */
const oldEnoughMs = 10 * 60_000

type Fork = Pick<SessionRow, 'id' | 'account_id'>

const forkOf = (
  context: ChatContext,
  { from, to }: ForkKeys,
  chat: SessionRow,
  given: { id: string; accountId: string; last: MessageRow | null; title: string | undefined },
): NewSessionRow => {
  const { id, accountId, last, title } = given
  const now = context.clock.now()
  const name = openTitle(from, chat)
  const own = chat.account_id === accountId
  return {
    ...chat,
    id,
    account_id: accountId,
    title: sealTitle(to, id, title ?? name),
    title_source: title === undefined ? chat.title_source : 'own',
    // How its owner wants it answered is the owner's, and so is the folder.
    settings: chat.settings && own ? sealSettings(to, id, openSettings(from, chat)) : null,
    folder_id: own ? chat.folder_id : null,
    forked_from: sealForkedFrom(to, id, { chatId: chat.id, title: name, messageId: last?.id ?? chat.active_leaf_id }),
    ...initialState,
    ready: 0,
    // The copy of a temporary chat is as temporary.
    expires_at: chat.expires_at === null ? null : expiryFrom(context, now),
    digest: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    trash_id: null,
  }
}

/** Copies from the end upwards, slice by slice, each message sealed again under its new id. */
const copyPath = async (context: ChatContext, keys: ForkKeys, chat: SessionRow, fork: Fork, endId: string | null) => {
  const attachments = attachmentsFor(context, keys, chat, fork.account_id)
  let next = endId
  let childId: string | null = null
  let newId: string | null = endId === null ? null : context.clock.id()
  const leaf = newId
  let summary: string | null = null
  while (next !== null) {
    const rows: MessageRow[] = await context.store.messages.upwards(chat.id, next, sliceSize)
    const summaries = await context.store.messages.summariesAt(rows.map((row) => row.id))
    const held = await context.store.attachments.ofMessages(rows)
    const copies: { row: MessageRow; attachmentIds: string[] }[] = []
    const copiedIds = new Map<string, string>()
    for (const row of rows) {
      const id: string = newId ?? context.clock.id()
      const parentId: string | null = row.parent_id === null ? null : context.clock.id()
      copiedIds.set(row.id, id)
      const change = { id, parent_id: parentId, active_child_id: childId }
      copies.push({
        row: await copyOf(keys, row, fork, change, attachments),
        attachmentIds: await attachments.idsOf((held.get(row.id) ?? []).map((attachment) => attachment.id)),
      })
      for (const old of summaries.filter((candidate) => candidate.covers_to_id === row.id)) {
        const copy = await copyOf(keys, old, fork, { id: context.clock.id(), covers_to_id: id }, attachments)
        copies.push({ row: copy, attachmentIds: [] })
        // Walking upwards, the first summary is the one in force.
        summary ??= copy.id
      }
      childId = id
      newId = parentId
    }
    // What a provider wants to see again hangs on the keys of whom it answered.
    const replays = chat.account_id === fork.account_id ? await copyReplays(context, keys.from, copiedIds) : []
    await context.store.write(async (trx) => {
      await context.store.messages.insertIn(trx, ...copies.map(({ row }) => row))
      await context.store.replays.putIn(trx, replays)
      for (const { row, attachmentIds } of copies) {
        await context.store.attachments.assignNew(trx, row.id, fork.id, attachmentIds)
      }
    })
    next = rows.at(-1)?.parent_id ?? null
  }
  return { leaf, summary }
}

const copyOf = async (
  keys: ForkKeys,
  row: MessageRow,
  fork: Fork,
  change: Partial<MessageRow> & { id: string },
  attachments: ForkAttachments,
): Promise<MessageRow> => {
  const content = openContent(keys.from, row)
  const own = row.account_id === fork.account_id
  return {
    ...row,
    chat_id: fork.id,
    account_id: fork.account_id,
    status: row.status === 'running' ? 'interrupted' : row.status,
    rating: own ? row.rating : null,
    generation_id: null,
    digest: null,
    ...change,
    content: sealContent(keys.to, change.id, own ? content : await attachments.ofReader(content)),
  }
}
