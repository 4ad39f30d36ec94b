/** Answers that are something made: the question is the prompt, and a job of the gallery makes it. */
import type { MakeOptions, MakeWish } from '@atrium/contract/chat'
import { mostPromptLetters } from '@atrium/contract/media-gallery'
import type { Gallery, MadeJob, PreparedAnswer } from '../../../core/generation/index.ts'
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
import { followNewest } from './newest.ts'
import { createPictureKeeper } from './pictures.ts'

/** The kind of such runs. */
export const makingKind = 'chat-making'

/** Refuses with `validation_failed` what no job is made of. `words`: where the prompt stands. */
export const requireMaking = (
  { make, message = '', regenerate, attachmentIds }: AskBody,
  chat: SessionRow,
  words = 'body.message',
): void => {
  if (!make) return
  const refuse = (path: string, words: string) => fail('validation_failed', undefined, [{ path, message: words }])
  if (chat.expires_at !== null)
    throw refuse('body.make', 'would stay in the gallery, and a temporary chat leaves nothing')
  if (!regenerate && message.trim() === '') throw refuse(words, 'says what to make')
  if (message.length > mostPromptLetters) throw refuse(words, `takes ${mostPromptLetters} characters at most`)
  if (make.kind !== 'image' && (attachmentIds?.length ?? 0) > 0)
    throw refuse('body.attachmentIds', 'only images are made from others')
  const strange = Object.keys(make.options ?? {}).find((field) => !fieldsOf[make.kind].has(field))
  if (strange !== undefined) throw refuse(`body.make.options.${strange}`, 'is not for what is made')
  if (make.maskId !== undefined && (make.kind !== 'image' || !(regenerate || attachmentIds?.includes(make.maskId))))
    throw refuse('body.make.maskId', 'names one of the attachments that an image is made from')
}

const fieldsOf: Readonly<Record<MakeWish['kind'], ReadonlySet<string>>> = {
  image: new Set<keyof MakeOptions>(['n', 'size', 'quality', 'style']),
  video: new Set<keyof MakeOptions>(['durationMs', 'resolution', 'aspectRatio', 'generateAudio']),
  speech: new Set<keyof MakeOptions>(['voice', 'responseFormat', 'speed']),
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
  if (question.text.trim() === '') throw fail('provider_rejected', 'Enter a prompt first.')
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
  const { kind, model, pluginId, options: chosen = null } = make
  const usual = await usualOptions(context, chat.account_id, make)
  const pictures = await readSources(context, answer)
  const wish = { kind, model, pluginId, prompt: question.text, chosen, usual, ...pictures, chatId: chat.id }
  const { jobId, missing } = yield* followNewest<Part[], MadeJob>(async (tell) => {
    try {
      return await gallery.make(chat.account_id, wish, {
        signal,
        begun: (id) => keepJob(context, keys, answer, id),
        drawn: (bytes) => tell([{ type: 'picture', index: 0, bytes, partial: true }]),
      })
    } catch (error) {
      throw inWords(error)
    }
  })
  let index = 0
  if (make.kind === 'image') {
    for await (const bytes of gallery.picturesOf(chat.account_id, jobId)) {
      yield [{ type: 'picture', index, bytes, partial: false }]
      index += 1
    }
  }
  yield [...Array.from({ length: missing }, () => lostPicture), { type: 'finish', reason: 'stop' }]
}

const lostPicture: Part = { type: 'lost-picture' }

/** The pictures of the question, and the one of them that is the mask. */
const readSources = async (context: ChatContext, { chat, make, question }: MakingAnswer) => {
  const sources: Uint8Array[] = []
  let mask: Uint8Array | null = null
  for (const { id, kind } of question.attachments) {
    const bytes = kind === 'image' ? await context.files.read(chat.account_id, id) : null
    if (id === make.maskId) mask = bytes
    else if (bytes) sources.push(bytes)
  }
  // Without it all of the picture would be drawn anew.
  if (make.maskId !== undefined && !mask) throw fail('provider_rejected', 'The marked area no longer exists.')
  return { sources, mask }
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
  return issue ? fail('provider_rejected', `This can’t be created: ${issue.message}.`) : error
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
