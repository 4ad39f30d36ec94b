/** Tells whoever asked that a long answer has ended while they were away. Who is at a page sees it in the list of chats. */
import type { Run, RunOutcome } from '../../../core/generation/index.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { ChatContext } from '../context.ts'
import { openTitle } from '../stores/rows.ts'

/** Whoever waits so long for an answer has turned to something else. */
const longMs = 30_000

/** To be prepared before the transaction that ends the run; null: there is nothing to tell. */
export const prepareFinishedNotice = async (
  { answerNotices, askerOf, store, vault }: ChatContext,
  { accountId, scopeId: chatId, startedAt, subjectId: messageId }: Run,
  { endedAt, state }: RunOutcome,
): Promise<{ publish(trx: AnyTransaction): Promise<void>; tell(): Promise<void> } | null> => {
  if (!answerNotices || (state !== 'done' && state !== 'failed') || endedAt - startedAt < longMs) return null
  // What an automation asked is told of by that, whichever process ends it.
  if ((await askerOf.value?.({ chatId, messageId }))?.tells) return null
  if (await answerNotices.isPresent(accountId)) return null
  const chat = await store.sessions.read(chatId, accountId)
  if (!chat || chat.expires_at !== null) return null
  // What it is called for now says nothing, in no language.
  const isNamed = chat.title_source !== 'default'
  const [keys, publisher] = await Promise.all([vault.keyring(accountId), answerNotices.publisher([accountId])])
  return {
    publish: (trx) =>
      publisher.publish(trx, {
        accountId,
        kind: 'answer-finished',
        sourceKey: `chat-answer:${messageId}`,
        about: aboutChat(chatId),
        facts: { chatId, messageId, name: isNamed ? openTitle(keys, chat) : null, failed: state === 'failed' },
        again: true,
      }),
    tell: publisher.tell,
  }
}

/** Whoever has a chat before them has seen its answers. */
export const settleAnswers = async (
  { answerNotices, database }: ChatContext,
  accountId: string,
  chatId: string,
): Promise<void> => {
  if (!answerNotices) return
  const publisher = await answerNotices.publisher([])
  await database.write((trx) => publisher.settle(trx, { accountId, about: [aboutChat(chatId)] }))
  await publisher.tell()
}

/** What is in the trash leads nowhere from the inbox. */
export const withdrawAnswers = async (
  { answerNotices, database }: ChatContext,
  accountId: string,
  chatIds: readonly string[],
): Promise<void> => {
  if (!answerNotices) return
  const publisher = await answerNotices.publisher([])
  await database.write((trx) => publisher.withdraw(trx, { accountId, about: chatIds.map(aboutChat) }))
  await publisher.tell()
}

const aboutChat = (chatId: string): string => `chat:${chatId}`
