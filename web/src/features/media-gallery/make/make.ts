/** Asks for something to be made, and follows what is being made. */
import { type MadePictures, type MediaJob, mediaMakingRoutes as routes } from '@atrium/contract/media-gallery'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call, send } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import type { MakeKind } from '../../../blocks/media-choices/choices.ts'
import { newId } from '../../../lib/id.ts'
import { toast } from '../../../ui/toaster.tsx'
import { refreshGallery } from '../changes.ts'

export const modelsQuery = queryOf(routes.models)
/** The newest ones, whether they are on their way, done or failed. */
export const jobsQuery = queryOf(routes.jobs, { query: { limit: 50 } })

onAccountEvent('media-job-changed', () => void refresh(routes.jobs))

const routeOf = {
  image: routes.generateImage,
  video: routes.generateVideo,
  speech: routes.generateSpeech,
  sound: routes.generateSound,
} as const

/** What is made of it is in the gallery then; a film is still on its way. Throws `Problem`. */
export async function startMaking(kind: MakeKind, body: Record<string, unknown>): Promise<{ missing: boolean }> {
  // The contract checks each body by its kind on the server; a click that is repeated makes nothing twice.
  const headers = { 'idempotency-key': newId() }
  const response = await send(routeOf[kind] as typeof routes.generateImage, { body: body as never }, { headers })
  const answer = (await response.json()) as { missing?: unknown }
  await Promise.all([refresh(routes.jobs), refreshGallery()])
  return { missing: Boolean(answer.missing) && kind === 'image' }
}

/** Draws pictures from others, the first of which is masked. Throws `Problem`. */
export async function makeEdit({
  fields,
  sources,
  mask,
}: {
  readonly fields: Readonly<Record<string, unknown>>
  /** Ids of the gallery. */
  readonly sources: readonly string[]
  readonly mask: Blob | null
}): Promise<MadePictures> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.set('sourceMediaId', sources.join(','))
  if (mask) form.set('mask', mask, 'mask.png')
  const headers = { 'idempotency-key': newId() }
  const response = await send(routes.editImage, { file: new Blob() }, { form, headers })
  const made = (await response.json()) as MadePictures
  await Promise.all([refresh(routes.jobs), refreshGallery()])
  return made
}

/** Another one like a picture that was made. Throws `Problem`. */
export async function makeVariation(mediaId: string): Promise<MadePictures> {
  const headers = { 'idempotency-key': newId() }
  const response = await send(routes.varyImage, { body: { mediaId } }, { headers })
  const made = (await response.json()) as MadePictures
  await Promise.all([refresh(routes.jobs), refreshGallery()])
  return made
}

/** Asks the provider of a film how it stands; what it says arrives as an event, too. */
export async function lookAfter({ id, kind }: MediaJob): Promise<void> {
  if (kind !== 'video') return
  await call(routes.videoJob, { params: { jobId: id } })
  await Promise.all([refresh(routes.jobs), refreshGallery()])
}

/** Takes up a film that its provider may still have. */
export async function resumeJob({ id }: MediaJob): Promise<void> {
  try {
    await call(routes.resumeVideo, { params: { jobId: id } })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refresh(routes.jobs), refreshGallery()])
}

export async function stopJob({ id }: MediaJob): Promise<void> {
  try {
    await call(routes.stopJob, { params: { jobId: id } })
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await refresh(routes.jobs)
}
