/** What is made in a chat: by the same jobs, told to the chat as it goes, and stopped with its answer. */
import { ImageWish, SpeechWish, VideoWish } from '@atrium/contract/media-gallery'
import type { Gallery, MadeInChat } from '../../../core/generation/index.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { openItem } from '../content.ts'
import type { MediaJobContext } from './context.ts'
import { submitFilm } from './films.ts'
import { type InChat, stopMaking } from './make.ts'
import { requireModel, requireVideoModel } from './models.ts'
import { makePictures } from './pictures.ts'
import { makeSpeech } from './sounds.ts'
import { mostSources, toSource } from './sources.ts'
import { usualFields } from './usual.ts'

export const createMakingInChat = (context: MediaJobContext): Omit<Gallery, 'addItem'> => ({
  async make(accountId, wish, { signal, begun, drawn }) {
    let jobId: string | null = null
    const inChat: InChat = {
      chatId: wish.chatId,
      async begun(id) {
        jobId = id
        await begun(id)
      },
      drawn,
    }
    const stop = (): void => {
      stopJob(context, accountId, jobId).catch((error: unknown) =>
        context.log.warn('What was made in a chat could not be stopped.', { error }),
      )
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      await start(context, accountId, wish, signal, inChat)
    } finally {
      signal.removeEventListener('abort', stop)
    }
    if (jobId === null) throw fail('job_not_found')
    return jobId
  },

  async *picturesOf(accountId, jobId) {
    for (const { file_id, kind } of (await context.store.madeBy([jobId])).get(jobId) ?? []) {
      const bytes = kind === 'image' ? await context.files.read(accountId, file_id) : null
      if (bytes) yield bytes
    }
  },

  async openMade(accountId, jobId) {
    const made = (await context.store.madeBy([jobId])).get(jobId) ?? []
    const row = made.find(({ kind, account_id }) => kind !== 'image' && account_id === accountId)
    if (!row) return null
    try {
      return await openItem(context, row, 'inline')
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  },
})

const start = async (
  context: MediaJobContext,
  accountId: string,
  { kind, model, pluginId, prompt, options, sources }: MadeInChat,
  signal: AbortSignal,
  inChat: InChat,
): Promise<unknown> => {
  const caller: Caller = { accountId, sessionId: '', role: 'user', via: 'cookie', token: null }
  const request = { caller, header: () => null, signal }
  const named = { model, pluginId }
  if (kind === 'video') {
    const { config } = await requireVideoModel(context, accountId, named)
    const usual = VideoWish.partial()
      .catch({})
      .parse(usualFields(kind, options, config))
    return await submitFilm(context, request, { ...usual, ...named, prompt }, inChat)
  }
  const { config } = await requireModel(context, accountId, kind === 'speech' ? 'tts' : 'image', named)
  const set = usualFields(kind, options, config)
  if (kind === 'speech') {
    const usual = SpeechWish.partial().catch({}).parse(set)
    return await makeSpeech(context, request, { ...usual, ...named, input: prompt }, inChat)
  }
  if (sources.length > mostSources)
    throw fail('provider_rejected', `A picture is made from ${mostSources} others at most.`)
  const pictures = sources.map((bytes) => toSource(bytes, 'images'))
  // Edits take no style.
  const usual = ImageWish.partial()
    .catch({})
    .parse(sources.length === 0 ? set : omitStyle(set))
  const edit = { sources: pictures, ids: [], uploaded: pictures.length }
  return await makePictures(context, request, { ...usual, ...named, prompt }, edit, inChat)
}

const omitStyle = (set: Readonly<Record<string, unknown>>) => ({ ...set, style: undefined })

const stopJob = async (context: MediaJobContext, accountId: string, jobId: string | null): Promise<void> => {
  const row = jobId === null ? null : await context.store.read(accountId, jobId)
  if (!row || row.ended_at !== null || row.kind === 'video') return
  await stopMaking(context, row)
}
