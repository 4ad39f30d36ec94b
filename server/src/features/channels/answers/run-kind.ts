/** Runs of answers in channels: whose key seals them, what is stored when one ends, and its events as members see them. */
import type { ChannelAnswerEvent } from '@atrium/contract/channels'
import type { Run, RunEventEntry, RunKind } from '../../../core/generation/index.ts'
import { inTables } from '../../../platform/db/types.ts'
import type { Frame } from '../../../platform/http/area.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { type ChannelContext, prepareEvents } from '../context.ts'
import { hashWords } from '../messages/words.ts'
import { findPeople, presentMessage, readParts, rowToMessage } from '../present.ts'
import { ownerOf, placesOf } from '../rules.ts'
import type { ChannelTables, MessageRow } from '../tables.ts'

export const answerKind = 'channel-answer'

/** One answer is one scope: any number of them are written in a channel at once. */
export const scopeOf = (channelId: string, messageId: string): string => `${channelId}/${messageId}`
const channelOf = ({ scopeId }: Pick<Run, 'scopeId'>): string => scopeId.slice(0, scopeId.indexOf('/'))

const stateOf = {
  done: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  interrupted: 'interrupted',
  // Answers in channels call no tools, so that none waits for a decision.
  waiting: 'interrupted',
} as const

export const answerRunKind = (context: ChannelContext): RunKind => ({
  owner: (run) => ownerOf(channelOf(run)),

  async finish(run, outcome) {
    const row = await context.store.messages.find(run.subjectId)
    // Its channel is gone, and its key may be, too.
    if (!row) return { write: async () => undefined }
    const { indexes, store, vault } = context
    const keys = await vault.keyring(ownerOf(row.channel_id))
    const { text } = outcome.answer
    // It thought, and said nothing.
    const isEmpty = outcome.state === 'done' && text.trim() === ''
    const failure = isEmpty ? 'provider_failed' : (outcome.failure?.code ?? 'internal')
    const state = isEmpty ? 'failed' : stateOf[outcome.state]
    const [words, people] = await Promise.all([hashWords(context, row, text), findPeople(context, [row])])
    const prepared = await prepareEvents(context, row.channel_id)
    return {
      async write(trx) {
        const db = inTables<ChannelTables>(trx)
        const fresh = await store.messages.findIn(db, row.id)
        if (!fresh || fresh.deleted_at !== null) return
        const changed: MessageRow = { ...fresh, content: keys.seal('channel_messages.content', row.id, text) }
        await store.answers.end(db, row.id, { state, failure: state === 'failed' ? failure : null })
        await indexes.texts.put(words, db)
        const message = rowToMessage(keys, changed, await readParts(context, [changed], db), people)
        const tell = prepared.in(db)
        // Who reads the events from an earlier place finds the whole answer there.
        const [created = 0] = placesOf(fresh)
        await tell.instead([created], { type: 'message-created', data: { message } })
        const place = await tell({ type: 'message-edited', data: { message } })
        const event_seqs = JSON.stringify([created, place])
        await store.messages.update(db, row.id, { content: changed.content, event_seqs })
      },
      ended: () => prepared.announce(),
    }
  },

  async readStored(run) {
    const row = await context.store.messages.find(run.subjectId)
    if (!row) return null
    const keys = await context.vault.keyring(ownerOf(row.channel_id))
    const text = row.content === null ? '' : openWords(keys, 'channel_messages.content', row.id, row.content)
    return { text, reasoning: null, sources: [], retrieval: null }
  },
})

/** What of a run its channel sees: the words as they come, and the message as it ended. */
export async function* answerFrames(
  context: ChannelContext,
  messageId: string,
  entries: AsyncIterable<RunEventEntry>,
): AsyncGenerator<Frame<ChannelAnswerEvent>> {
  for await (const { seq, event } of entries) {
    if (event.type === 'start') yield { seq, event: { type: 'start', data: { messageId } } }
    else if (event.type === 'text') yield { seq, event }
    else if (event.type === 'end') yield { seq, event: await lastEvent(context, messageId) }
  }
}

/** The last frame of an answer that has ended, for those who begin to follow at this position. */
export async function* lastFrame(
  context: ChannelContext,
  messageId: string,
  seq: number,
): AsyncGenerator<Frame<ChannelAnswerEvent>> {
  yield { seq, event: await lastEvent(context, messageId) }
}

const lastEvent = async (context: ChannelContext, messageId: string): Promise<ChannelAnswerEvent> => {
  const row = await context.store.messages.find(messageId)
  if (!row || row.deleted_at !== null)
    return { type: 'error', data: { code: 'channel_message_not_found', detail: 'The message was deleted.' } }
  const message = await presentMessage(context, row)
  const { state = 'interrupted', failure = null } = message.answer ?? {}
  if (state === 'completed') return { type: 'done', data: { message } }
  if (state === 'cancelled') return { type: 'cancelled', data: { message } }
  // One that is still pending has an end that could not be recorded.
  const code = failure ?? (state === 'pending' ? 'interrupted' : state)
  return { type: 'error', data: { code, detail: 'The answer ended early.', message } }
}
