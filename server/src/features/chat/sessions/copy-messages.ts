/** Copies messages of a chat into a fork of it, slice by slice, each sealed again under its new id. */
import { endCalls } from '../../../core/generation/index.ts'
import type { ChatContext } from '../context.ts'
import { copyReplays } from '../generations/replays.ts'
import { listBelow } from '../messages/branch-rows.ts'
import { citedDocuments } from '../messages/citations.ts'
import { openBranchName, openContent, sealBranchName, sealContent } from '../stores/rows.ts'
import type { MessageRow, SessionRow } from '../tables.ts'
import { type ForkAttachments, type ForkKeys, attachmentsFor } from './fork-attachments.ts'

/** Messages that are copied in one transaction; between two of them everybody else gets a turn. */
const sliceSize = 100

type Fork = Pick<SessionRow, 'id' | 'account_id' | 'created_at'>

interface Copy {
  readonly row: MessageRow
  readonly documentIds: readonly string[]
  readonly attachmentIds: readonly string[]
}

/** Copies the path that ends at a message, from its end upwards. */
export const copyPath = async (
  context: ChatContext,
  keys: ForkKeys,
  chat: SessionRow,
  fork: Fork,
  endId: string | null,
) => {
  const attachments = attachmentsFor(context, keys, chat, fork.account_id)
  let next = endId
  let childId: string | null = null
  const newIdOf = createIds(context)
  const leaf = endId === null ? null : newIdOf(endId)
  let summary: string | null = null
  while (next !== null) {
    const rows: MessageRow[] = await context.store.messages.upwards(chat.id, next, sliceSize)
    const summaries = await context.store.messages.summariesAt(rows.map((row) => row.id))
    const held = await context.store.attachments.ofMessages(rows)
    const copies: Copy[] = []
    const copiedIds = new Map<string, string>()
    for (const row of rows) {
      const id = newIdOf(row.id)
      const parentId = row.parent_id === null ? null : newIdOf(row.parent_id)
      copiedIds.set(row.id, id)
      const change = { id, parent_id: parentId, active_child_id: childId }
      copies.push({
        ...(await copyOf(keys, row, fork, change, attachments, newIdOf)),
        attachmentIds: await attachments.idsOf((held.get(row.id) ?? []).map((attachment) => attachment.id)),
      })
      for (const old of summaries.filter((candidate) => candidate.covers_to_id === row.id)) {
        const copy = await copyOf(keys, old, fork, { id: context.clock.id(), covers_to_id: id }, attachments, newIdOf)
        copies.push({ ...copy, attachmentIds: [] })
        // Walking upwards, the first summary is the one in force.
        summary ??= copy.row.id
      }
      childId = id
    }
    await insertCopies(context, keys, chat, fork, copies, copiedIds)
    next = rows.at(-1)?.parent_id ?? null
  }
  return { leaf, summary }
}

/**
 * Copies everything that is not in the trash, oldest first; of a message `endId` only without what follows it, and it
 * becomes the end of the path.
 */
export const copyBranches = async (
  context: ChatContext,
  keys: ForkKeys,
  chat: SessionRow,
  fork: Fork,
  endId: string | null,
) => {
  const { messages } = context.store
  const left = endId === null ? new Set<string>() : listBelow(await messages.listPlaces(chat.id), endId)
  const isLeft = (id: string | null): boolean => id !== null && left.has(id)
  const attachments = attachmentsFor(context, keys, chat, fork.account_id)
  const newIdOf = createIds(context)
  const orNull = (id: string | null): string | null => (id === null ? null : newIdOf(id))
  const copied = new Set<string>()
  for await (const slice of context.store.exporting.messages(chat.id, sliceSize)) {
    // Something may have been asked below the end meanwhile.
    for (const { id, parent_id } of slice)
      if (isLeft(parent_id) || (endId !== null && parent_id === endId)) left.add(id)
    const rows = slice.filter(({ id, covers_to_id }) => !isLeft(id) && !isLeft(covers_to_id))
    if (rows.length === 0) continue
    const held = await context.store.attachments.ofMessages(rows)
    const copies: Copy[] = []
    const copiedIds = new Map<string, string>()
    for (const row of rows) {
      const id = newIdOf(row.id)
      copied.add(row.id)
      copiedIds.set(row.id, id)
      const change = {
        id,
        parent_id: orNull(row.parent_id),
        active_child_id: isLeft(row.active_child_id) ? null : orNull(row.active_child_id),
        covers_to_id: orNull(row.covers_to_id),
        branch_name: copyBranchName(keys, row, id),
      }
      copies.push({
        ...(await copyOf(keys, row, fork, change, attachments, newIdOf)),
        attachmentIds: await attachments.idsOf((held.get(row.id) ?? []).map((attachment) => attachment.id)),
      })
    }
    await insertCopies(context, keys, chat, fork, copies, copiedIds)
  }
  const ifCopied = (id: string | null): string | null => (id !== null && copied.has(id) ? newIdOf(id) : null)
  const leaf = ifCopied(endId)
  if (leaf === null) return { leaf: ifCopied(chat.active_leaf_id), summary: ifCopied(chat.summary_id) }
  return context.store.write(async (trx) => {
    await messages.activateAncestors(trx, fork.id, leaf)
    return { leaf, summary: await messages.summaryOnPath(trx, fork.id, leaf) }
  })
}

const insertCopies = async (
  context: ChatContext,
  keys: ForkKeys,
  chat: SessionRow,
  fork: Fork,
  copies: readonly Copy[],
  copiedIds: ReadonlyMap<string, string>,
): Promise<void> => {
  // What a provider wants to see again hangs on the keys of whom it answered.
  const replays = chat.account_id === fork.account_id ? await copyReplays(context, keys.from, copiedIds) : []
  await context.store.write(async (trx) => {
    await context.store.messages.insertIn(trx, ...copies.map(({ row }) => row))
    await context.store.replays.putIn(trx, replays)
    for (const { row, documentIds, attachmentIds } of copies) {
      await context.store.citations.putIn(trx, row.id, documentIds)
      await context.store.attachments.assignNew(trx, row.id, fork.id, attachmentIds)
    }
  })
}

const copyOf = async (
  keys: ForkKeys,
  row: MessageRow,
  fork: Fork,
  change: Partial<MessageRow> & { id: string },
  attachments: ForkAttachments,
  newIdOf: (id: string) => string,
): Promise<Omit<Copy, 'attachmentIds'>> => {
  const stored = openContent(keys.from, row)
  const own = row.account_id === fork.account_id
  // What somebody else wrote, or their model, is no word of whoever goes on with it.
  const seen = own ? stored : { ...(await attachments.ofReader(stored)), foreignFrom: 0 }
  // What it quotes is the copy of that; where that is not copied, nothing has its id.
  const quotes = seen.quotes.map((quote) => ({ ...quote, messageId: newIdOf(quote.messageId) }))
  // Nobody is asked about calls of a copy.
  const content =
    row.status === 'waiting'
      ? { ...seen, quotes, toolCalls: [...endCalls(seen.toolCalls, 'cancelled', fork.created_at)] }
      : { ...seen, quotes }
  const copy = {
    ...row,
    chat_id: fork.id,
    account_id: fork.account_id,
    status: row.status === 'running' ? 'interrupted' : row.status === 'waiting' ? 'cancelled' : row.status,
    rating: own ? row.rating : null,
    pinned_at: own ? row.pinned_at : null,
    // A path by itself has no branches that are told apart by their names.
    branch_name: null,
    generation_id: null,
    digest: null,
    ...change,
    content: sealContent(keys.to, change.id, content),
  }
  return { row: copy, documentIds: citedDocuments(content) }
}

const copyBranchName = ({ from, to }: ForkKeys, row: MessageRow, id: string): Uint8Array | null => {
  const name = openBranchName(from, row)
  return name === null ? null : sealBranchName(to, id, name)
}

/** The ids that copies get, by the ids of what is copied. */
const createIds = ({ clock }: Pick<ChatContext, 'clock'>): ((id: string) => string) => {
  const ids = new Map<string, string>()
  return (id) => {
    const known = ids.get(id) ?? clock.id()
    ids.set(id, known)
    return known
  }
}
