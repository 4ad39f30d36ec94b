/** Forks: the active path, up to a message, copied into a chat of its own. */
import type { chat } from '@atrium/contract/chat'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { type Room, openChat } from './deps.ts'
import { readMessage } from './messages.ts'
import { copyReplays } from './replays.ts'
import {
  openContent,
  openSettings,
  openTitle,
  rowToSummary,
  sealContent,
  sealForkedFrom,
  sealSettings,
  sealTitle,
} from './stores/shapes.ts'
import type { NewSessionRow } from './stores/sessions.ts'
import type { MessageRow, SessionRow } from './tables.ts'
import { removeChatForGood } from './trash.ts'

type Routes = Pick<typeof chat, 'fork'>

/** Messages that are copied in one transaction; between two of them everybody else gets a turn. */
const sliceSize = 100

export const forkHandlers = (room: Room): Handlers<Routes> => ({
  async fork({ params, body }, { caller }) {
    const { chat, keys } = await openChat(room, params.sessionId, caller.accountId)
    const last = body.messageId === undefined ? null : await readMessage(room, chat, body.messageId)
    if (last?.role === 'summary') throw fail('message_not_found')
    const id = room.clock.id()
    await room.store.sessions.insert(forkOf(room, keys, chat, id, last, body.title))
    try {
      const { leaf, summary } = await copyPath(room, keys, chat, id, last?.id ?? chat.active_leaf_id)
      await room.store.sessions.update(id, { active_leaf_id: leaf, summary_id: summary, ready: 1 })
    } catch (error) {
      await removeChatForGood(room, id)
      throw error
    }
    room.changed(caller.accountId, id)
    return rowToSummary(keys, (await openChat(room, id, caller.accountId)).chat)
  },
})

/** Removes copies that an earlier process did not finish. */
export const removeUnfinishedForks = async (room: Room): Promise<void> => {
  const before = room.clock.now() - oldEnoughMs
  for (const id of await room.store.sessions.unfinished(before)) await removeChatForGood(room, id)
}

/** Another process may be copying just now; nothing takes this long. */
const oldEnoughMs = 10 * 60_000

const forkOf = (
  room: Room,
  keys: Keyring,
  chat: SessionRow,
  id: string,
  last: MessageRow | null,
  title: string | undefined,
): NewSessionRow => {
  const now = room.clock.now()
  const from = openTitle(keys, chat)
  return {
    ...chat,
    id,
    title: sealTitle(keys, id, title ?? from),
    title_source: title === undefined ? chat.title_source : 'own',
    settings: chat.settings ? sealSettings(keys, id, openSettings(keys, chat)) : null,
    forked_from: sealForkedFrom(keys, id, { chatId: chat.id, title: from, messageId: last?.id ?? chat.active_leaf_id }),
    pinned: 0,
    archived: 0,
    unread: 0,
    failed: 0,
    queue_held: 0,
    running_generation_id: null,
    active_leaf_id: null,
    summary_id: null,
    ready: 0,
    digest: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    trash_id: null,
  }
}

/** Copies from the end upwards, slice by slice, each message sealed anew under its new id. */
const copyPath = async (room: Room, keys: Keyring, chat: SessionRow, forkId: string, endId: string | null) => {
  let next = endId
  let childId: string | null = null
  let newId: string | null = endId === null ? null : room.clock.id()
  const leaf = newId
  let summary: string | null = null
  while (next !== null) {
    const rows: MessageRow[] = await room.store.messages.upwards(chat.id, next, sliceSize)
    const summaries = await room.store.messages.summariesAt(rows.map((row) => row.id))
    const held = await room.store.attachments.heldByMessages(rows)
    const copies: { row: MessageRow; attachmentIds: string[] }[] = []
    const copiedIds = new Map<string, string>()
    for (const row of rows) {
      const id: string = newId ?? room.clock.id()
      const parentId: string | null = row.parent_id === null ? null : room.clock.id()
      copiedIds.set(row.id, id)
      const attachmentIds = (held.get(row.id) ?? []).map((attachment) => attachment.id)
      copies.push({
        row: copyOf(keys, row, forkId, { id, parent_id: parentId, active_child_id: childId }),
        attachmentIds,
      })
      for (const old of summaries.filter((candidate) => candidate.covers_to_id === row.id)) {
        const copy = copyOf(keys, old, forkId, { id: room.clock.id(), covers_to_id: id })
        copies.push({ row: copy, attachmentIds: [] })
        // Walking upwards, the first summary is the one in force.
        summary ??= copy.id
      }
      childId = id
      newId = parentId
    }
    const replays = await copyReplays(room, keys, copiedIds)
    await room.store.write(async (trx) => {
      await room.store.messages.insertIn(trx, ...copies.map(({ row }) => row))
      await room.store.replays.putIn(trx, replays)
      for (const { row, attachmentIds } of copies) {
        await room.store.attachments.give(trx, row.id, forkId, attachmentIds)
      }
    })
    next = rows.at(-1)?.parent_id ?? null
  }
  return { leaf, summary }
}

const copyOf = (
  keys: Keyring,
  row: MessageRow,
  forkId: string,
  change: Partial<MessageRow> & { id: string },
): MessageRow => ({
  ...row,
  chat_id: forkId,
  status: row.status === 'running' ? 'interrupted' : row.status,
  generation_id: null,
  digest: null,
  ...change,
  content: sealContent(keys, change.id, openContent(keys, row)),
})
