/** Asking models: each answer is a reply that is there at once, and a run that writes it with the means of whoever asks. */
import type { Selection } from '@atrium/contract/common'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { inTables } from '../../../platform/db/types.ts'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { type ChannelContext, prepareEvents } from '../context.ts'
import { readParts, rowToMessage } from '../present.ts'
import { ownerOf } from '../rules.ts'
import type { AnswerRow, ChannelTables, MessageRow } from '../tables.ts'
import { prepareAnswer } from './prepare.ts'
import { answerKind, scopeOf } from './run-kind.ts'

/** A model to be asked, and what it is called. */
export interface AskedModel {
  readonly selection: Selection
  readonly name: string
}

/** Begins the answers to a message that are not there yet; asking again for the same message doubles none. */
export const startAnswers = async (
  context: ChannelContext,
  question: MessageRow,
  accountId: string,
  models: readonly AskedModel[],
): Promise<void> => {
  let at = question.created_at
  for (const [place, model] of models.entries()) {
    // No two at the same time: pages tell by it which replies they have counted.
    at = Math.max(context.clock.now(), at + 1)
    await startAnswer(context, question, accountId, model, { place, at })
  }
}

const startAnswer = async (
  context: ChannelContext,
  question: MessageRow,
  accountId: string,
  { selection, name }: AskedModel,
  { place, at: now }: { readonly place: number; readonly at: number },
): Promise<void> => {
  const { clock, generations, store, vault } = context
  // Nobody can guess it, and take it for a message of their own.
  const id = vault.blindIndex('channel-answers.id', `${question.id}\0${place}`).replaceAll(/[^A-Za-z0-9_-]/g, '')
  if (await store.answers.find(id)) return
  const channelId = question.channel_id
  const [keys, people, prepared] = await Promise.all([
    vault.keyring(ownerOf(channelId)),
    context.people.named([accountId]),
    prepareEvents(context, channelId),
  ])
  const run = { id: clock.id(), accountId, kind: answerKind, scopeId: scopeOf(channelId, id), subjectId: id }
  const answer: AnswerRow = {
    message_id: id,
    channel_id: channelId,
    question_id: question.id,
    asked_by: accountId,
    selection: JSON.stringify(selection),
    name,
    run_id: run.id,
    state: 'pending',
    failure: null,
  }
  const draft: Omit<MessageRow, 'seq'> = {
    id,
    channel_id: channelId,
    parent_id: question.parent_id ?? question.id,
    author_id: null,
    print: '',
    content: keys.seal('channel_messages.content', id, ''),
    forwarded: null,
    shown: 0,
    attachment_count: 0,
    from_chat: null,
    has_link: 0,
    mention_count: 0,
    reaction_count: 0,
    reply_count: 0,
    last_reply_at: null,
    created_at: now,
    edited_at: null,
    deleted_at: null,
    pinned_at: null,
    event_seqs: '[]',
  }
  const record = async (trx: AnyTransaction): Promise<void> => {
    const db = inTables<ChannelTables>(trx)
    if ((await store.members.among(channelId, [accountId], db)).length === 0) throw fail('channel_not_found')
    for (const above of new Set([question.id, draft.parent_id ?? question.id])) {
      const there = await store.messages.findIn(db, above)
      if (!there || there.deleted_at !== null) throw fail('channel_message_not_found')
    }
    const seq = await store.messages.nextSeq(db, channelId, now)
    if (seq === null) throw fail('channel_archived')
    const row: MessageRow = { ...draft, seq }
    await store.messages.insert(db, row, [])
    await store.answers.insert(db, answer)
    await store.threads.followRoot(db, draft.parent_id ?? question.id)
    const message = rowToMessage(keys, row, await readParts(context, [row], db), people)
    const at = await prepared.in(db)({ type: 'message-created', data: { message } })
    await store.messages.update(db, id, { event_seqs: JSON.stringify([at]) })
  }
  try {
    await generations.start(
      { ...run, prepare: () => prepareAnswer(context, question.id, accountId, selection) },
      record,
    )
  } catch (error) {
    // The same message, sent twice at once: the other one has begun it.
    const isRival = isUniqueViolation(error) || (isRefusal(error) && error.code === 'generation_running')
    if (isRival && (await store.answers.find(id))) return
    throw error
  }
  await prepared.announce()
  await context.modelUsed(accountId, selection)
}

/** Stops what is being written in a channel, or what one account asked for there, and waits for that. */
export const stopAnswers = async (
  { generations, store }: ChannelContext,
  channelId: string,
  accountId?: string,
): Promise<void> => {
  const ids = await store.answers.pendingIds(channelId, accountId)
  await generations.cancelScopes(ids.map((id) => scopeOf(channelId, id)))
}

/** Stops one answer, if it is still being written, and waits for that. */
export const stopAnswer = async (
  { generations }: ChannelContext,
  { run_id: runId, asked_by: accountId }: AnswerRow,
): Promise<void> => {
  if (accountId !== null) await generations.cancel(runId, accountId)
}

/** Removes what was kept of the way that answers were written: their words stand in it. */
export const forgetRuns = async (
  { generations }: ChannelContext,
  channelId: string,
  messageIds: readonly string[],
): Promise<void> => {
  for (const id of messageIds) await generations.removeScope(scopeOf(channelId, id))
}
