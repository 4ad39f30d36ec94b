/** Answers that are something made: the question is the prompt, and a job of the gallery makes it. */
import type { MakeWish } from '@atrium/contract/chat'
import { mostPromptLetters } from '@atrium/contract/media-gallery'
import type { Gallery, PreparedAnswer } from '../../../core/generation/index.ts'
import { inTables } from '../../../platform/db/types.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Part } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import { openContent, sealContent } from '../stores/rows.ts'
import type { ChatTables, SessionRow } from '../tables.ts'
import type { AnswerConfig } from './answer-config.ts'
import type { AskBody } from './input.ts'
import type { MessageEstimate } from './history.ts'
import { createPictureKeeper } from './pictures.ts'

/** The kind of such runs. */
export const makingKind = 'chat-making'

/** Refuses with `validation_failed` what no job is made of. */
export const requireMaking = ({ make, message = '', regenerate, attachmentIds }: AskBody, chat: SessionRow): void => {
  if (!make) return
  const refuse = (path: string, words: string) => fail('validation_failed', undefined, [{ path, message: words }])
  if (chat.expires_at !== null)
    throw refuse('body.make', 'would stay in the gallery, and a temporary chat leaves nothing')
  if (!regenerate && message.trim() === '') throw refuse('body.message', 'says what to make')
  if (message.length > mostPromptLetters) throw refuse('body.message', `takes ${mostPromptLetters} characters at most`)
  if (make.kind !== 'image' && (attachmentIds?.length ?? 0) > 0)
    throw refuse('body.attachmentIds', 'only images are made from others')
}

/** It stands for who answers; it is never asked. */
export const makingConfig = ({ model, pluginId }: MakeWish): AnswerConfig => ({
  model: {
    selection: { providerType: 'plugin', providerId: pluginId, model },
    name: model,
    contextWindow: 1_000_000,
    vision: true,
    prefills: false,
    sizesWindow: false,
    ask: () => {
      throw new Error('what makes media is asked by a job')
    },
  },
  options: {},
  system: null,
})

export interface MakingAnswer {
  readonly chat: SessionRow
  readonly messageId: string
  readonly make: MakeWish
  readonly question: Pick<MessageEstimate, 'text' | 'attachments'>
}

export const prepareMaking = (context: ChatContext, keys: Keyring, answer: MakingAnswer): PreparedAnswer => {
  const { chat, messageId, make, question } = answer
  const { gallery } = context
  if (!gallery) throw fail('unavailable')
  if (question.text.trim() === '') throw fail('provider_rejected', 'Nothing is made of a message without words.')
  const model = { model: make.model, providerId: make.pluginId }
  return {
    plan: null,
    isWordless: true,
    keepPicture: createPictureKeeper(context, keys, { chat, messageId, question: question.text, model, isKept: true }),
    open: (signal) => makeParts(context, keys, gallery, answer, signal),
  }
}

async function* makeParts(
  context: ChatContext,
  keys: Keyring,
  gallery: Gallery,
  answer: MakingAnswer,
  signal: AbortSignal,
): AsyncGenerator<Part[]> {
  const { chat, make, question } = answer
  const sources: Uint8Array[] = []
  for (const { id, kind } of question.attachments) {
    const bytes = kind === 'image' ? await context.files.read(chat.account_id, id) : null
    if (bytes) sources.push(bytes)
  }
  /** The newest draft; older ones are of no interest any more. */
  let draft: Uint8Array | null = null
  let wake: () => void = () => undefined
  const options = await usualOptions(context, chat.account_id, make)
  const made = gallery.make(
    chat.account_id,
    { ...make, prompt: question.text, options, sources, chatId: chat.id },
    {
      signal,
      begun: (jobId) => keepJob(context, keys, answer, jobId),
      drawn(bytes) {
        draft = bytes
        wake()
      },
    },
  )
  let isOver = false
  const over = made.then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  while (!isOver) {
    await Promise.race([over, new Promise<void>((resolve) => (wake = resolve))])
    const bytes: Uint8Array | null = draft
    draft = null
    if (bytes && !isOver) yield [{ type: 'picture', index: 0, bytes, partial: true }]
  }
  const jobId = await made.catch((error: unknown) => {
    throw inWords(error)
  })
  let index = 0
  if (make.kind === 'image') {
    for await (const bytes of gallery.picturesOf(chat.account_id, jobId)) {
      yield [{ type: 'picture', index, bytes, partial: false }]
      index += 1
    }
  }
  yield [{ type: 'finish', reason: 'stop' }]
}

/** What the account set as usual for this very model. */
const usualOptions = async (context: ChatContext, accountId: string, { kind, model, pluginId }: MakeWish) => {
  const set = (await context.preferences(accountId)).mediaDefaults[kind]
  return set?.model === model && set.providerId === pluginId ? set.options : {}
}

/** What a model does not take is said as a sentence: no field of a form is at fault here. */
const inWords = (error: unknown): unknown => {
  if (!isRefusal(error) || error.code !== 'validation_failed') return error
  const [issue] = error.issues ?? []
  return issue ? fail('provider_rejected', `It can’t be made: ${issue.message}.`) : error
}

/** Writes the job down with the answer, so that both are found again whatever happens. */
const keepJob = async (
  context: ChatContext,
  keys: Keyring,
  { chat, messageId, make }: MakingAnswer,
  jobId: string,
): Promise<void> => {
  const row = await context.store.messages.read(chat.id, messageId)
  if (!row) return
  const content = sealContent(keys, messageId, { ...openContent(keys, row), making: { ...make, jobId } })
  await context.store.write((trx) => context.store.messages.updateIn(inTables<ChatTables>(trx), messageId, { content }))
}
