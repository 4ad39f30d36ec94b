/** What is made in a chat: by the same jobs, told to the chat as it goes, and stopped with its answer. */
import { ImageWish, SpeechWish, VideoWish } from '@atrium/contract/media-gallery'
import type { Gallery, MadeInChat } from '../../../core/generation/index.ts'
import { callerOf } from '../../../platform/http/on-behalf.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { SourcePicture } from '../../../providers/operations/index.ts'
import { openItem } from '../content.ts'
import type { MediaJobContext } from './context.ts'
import { submitFilm } from './films.ts'
import { type InChat, stopMaking } from './make.ts'
import { requireModel, requireVideoModel } from './models.ts'
import { makePictures } from './pictures.ts'
import { makeSpeech } from './sounds.ts'
import { mostSources, toSource, toUprightSource } from './sources.ts'
import { usualFields } from './usual.ts'

export const createMakingInChat = (context: MediaJobContext): Omit<Gallery, 'addItem'> => ({
  async make(accountId, wish, { signal, begun, drawn }) {
    let jobId: string | null = null
    const inChat: InChat = {
      chatId: wish.chatId,
      async begun(id) {
        jobId = id
        await begun(id)
        // Stopped before there was a job to stop: nobody is asked, and nobody paid.
        if (signal.aborted) throw fail('media_stopped')
      },
      drawn,
    }
    const stop = (): void => {
      stopJob(context, accountId, jobId).catch((error: unknown) =>
        context.log.warn('What was made in a chat could not be stopped.', { error }),
      )
    }
    signal.addEventListener('abort', stop, { once: true })
    let missing = 0
    try {
      missing = await start(context, accountId, wish, signal, inChat)
    } finally {
      signal.removeEventListener('abort', stop)
    }
    if (jobId === null) throw fail('job_not_found')
    return { jobId, missing }
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

/** Gives how many pictures were withheld. */
const start = async (
  context: MediaJobContext,
  accountId: string,
  { kind, model, pluginId, prompt, chosen, usual: set, sources, mask }: MadeInChat,
  signal: AbortSignal,
  inChat: InChat,
): Promise<number> => {
  const request = { caller: callerOf(accountId), header: () => null, signal }
  const named = { model, pluginId }
  if (kind === 'video') {
    const film = await requireVideoModel(context, accountId, named)
    const fields = VideoWish.partial()
      .catch({})
      .parse(chosen ?? usualFields(kind, set, film.config))
    await submitFilm(film, context, request, { ...fields, ...named, prompt }, inChat)
    return 0
  }
  if (kind === 'speech') {
    const speaker = await requireModel(context, accountId, 'tts', named)
    const fields = SpeechWish.partial()
      .catch({})
      .parse(chosen ?? usualFields(kind, set, speaker.config))
    await makeSpeech(speaker, context, request, { ...fields, ...named, input: prompt }, inChat)
    return 0
  }
  if (sources.length > mostSources) throw fail('provider_rejected', `You can use at most ${mostSources} source images.`)
  if (mask && sources.length === 0)
    throw fail('provider_rejected', 'The marked area needs an image. Add the image first.')
  const painter = await requireModel(context, accountId, 'image', named)
  const pictures: SourcePicture[] = []
  for (const bytes of sources) pictures.push(await toUprightSource(bytes, 'images', painter.takesAvif))
  const fields = ImageWish.partial()
    .catch({})
    .parse(chosen ?? usualFields(kind, set, painter.config))
  // Edits take no style.
  const wish = { ...fields, ...(pictures.length > 0 ? { style: undefined } : {}), ...named, prompt }
  const edit = {
    sources: pictures,
    mask: mask ? toSource(mask, 'mask') : undefined,
    ids: [],
    uploaded: pictures.length,
  }
  const { missing } = await makePictures(painter, context, request, wish, edit, inChat)
  return missing?.count ?? 0
}

export const stopJob = async (context: MediaJobContext, accountId: string, jobId: string | null): Promise<void> => {
  const row = jobId === null ? null : await context.store.read(accountId, jobId)
  if (!row || row.ended_at !== null || row.kind === 'video') return
  await stopMaking(context, row)
}
