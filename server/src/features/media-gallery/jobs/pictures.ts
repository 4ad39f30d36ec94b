/** Pictures from words, from other pictures, and more like one. */
import { createHash } from 'node:crypto'
import {
  ImageEditForm,
  type ImageWish,
  type MadePictures,
  type MediaFacts,
  type mediaMakingRoutes,
} from '@atrium/contract/media-gallery'
import type { UsableCapability } from '../../../core/connections/index.ts'
import type { Caller, Context, Handlers, UploadedFile } from '../../../platform/http/area.ts'
import { readFields } from '../../../platform/http/form.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ImageAsk, Images, SourcePicture } from '../../../providers/operations/index.ts'
import { findLive } from '../handlers.ts'
import { rowToItem } from '../stores/rows.ts'
import { itemsOf, type MediaJobContext } from './context.ts'
import { type InChat, makeMedia, type MakingResult } from './make.ts'
import { requireModel, requireNone } from './models.ts'
import { imageIssues } from './options.ts'
import { failureOf } from './rules.ts'
import { mostSources, readSource, toSource, toUprightSource } from './sources.ts'

/** Where its provider draws so: whoever asked looks on. */
const mostPartials = 3

type PictureRoutes = Pick<typeof mediaMakingRoutes, 'generateImage' | 'editImage' | 'varyImage'>
type Request = Pick<Context<Caller>, 'caller' | 'header' | 'signal'>

interface Edit {
  readonly sources: readonly SourcePicture[]
  readonly mask?: SourcePicture | undefined
  /** Ids of own items among the sources. */
  readonly ids: readonly string[]
  readonly uploaded: number
}

export const noEdit: Edit = { sources: [], ids: [], uploaded: 0 }

export const pictureHandlers = (context: MediaJobContext): Handlers<PictureRoutes> => ({
  async generateImage({ body }, request) {
    const usable = await requireModel(context, request.caller.accountId, 'image', body)
    return await makePictures(usable, context, request, body, noEdit)
  },

  async editImage({ file }, request) {
    const { accountId } = request.caller
    const { wish, read } = await readEdit(context, accountId, file)
    const usable = await requireModel(context, accountId, 'image', wish)
    return await makePictures(usable, context, request, wish, await read(usable.takesAvif))
  },

  async varyImage({ body }, request) {
    const { accountId } = request.caller
    const row = await findLive(context, accountId, body.mediaId)
    const before = rowToItem(await context.vault.keyring(accountId), row, { sources: [], albumIds: [] })
    const pluginId = body.pluginId ?? before.pluginId
    const model = body.model ?? before.model
    const prompt = body.prompt ?? before.prompt
    const missing = [
      ...(pluginId === null || model === null
        ? [{ path: 'body.model', message: 'this image wasn’t made by a model: choose one' }]
        : []),
      ...(prompt === '' ? [{ path: 'body.prompt', message: 'this image has no prompt: write one' }] : []),
    ]
    requireNone(missing)
    const wish = { ...againOf(before.options), model: model ?? '', pluginId: pluginId ?? '', prompt, n: body.n }
    const usable = await requireModel(context, accountId, 'image', wish)
    if (usable.mostSources === 0) return await makePictures(usable, context, request, wish, noEdit)
    const source = await readSource(context, accountId, row.id, 'mediaId', usable.takesAvif)
    const edit = { sources: [source], ids: [row.id], uploaded: 0 }
    return await makePictures(usable, context, request, wish, edit)
  },
})

/** The options of an item that hold for another one. Its seed would give the very same picture. */
const againOf = (options: MediaFacts) => {
  const word = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  return { size: word('size'), quality: word('quality'), style: word('style'), background: word('background') }
}

export async function makePictures(
  usable: UsableCapability<'image'>,
  context: MediaJobContext,
  request: Request,
  wish: ImageWish,
  edit: Edit,
  inChat?: InChat,
): Promise<MadePictures> {
  const { token } = request.caller
  requireNone([...imageIssues(wish, usable.config), ...editIssues(edit, usable)])
  const { model, pluginId, prompt, n, ...options } = wish
  const kept = factsOf(options)
  const ask: ImageAsk = {
    ...options,
    prompt,
    count: n,
    ...(edit.sources.length > 0 ? { sources: edit.sources, mask: edit.mask } : {}),
  }
  const asked = [wish, edit.ids, edit.sources.map(digestOf), edit.mask && digestOf(edit.mask)]
  const making = { kind: 'image', model, pluginId, prompt, options: kept, asked, inChat } as const
  const row = await makeMedia(context, request, making, async (signal, heard) =>
    toMade(await usable.call(ask, signal, { tokenId: token?.id ?? null, heard, partials: mostPartials }), edit),
  )
  const reason = row.missing_reason
  return {
    jobId: row.id,
    items: await itemsOf(context, row),
    missing: reason === null ? null : { count: row.missing_count, reason },
  }
}

const toMade = ({ pictures, missing }: Images, edit: Edit): MakingResult => ({
  items: pictures.map(({ bytes, revisedPrompt }) => ({
    kind: 'image',
    content: bytes,
    sources: edit.ids,
    metadata: factsOf({
      revisedPrompt: revisedPrompt ?? undefined,
      edit:
        edit.sources.length > 0
          ? { sourceMediaIds: [...edit.ids], uploadedImages: edit.uploaded, maskUsed: edit.mask !== undefined }
          : undefined,
    }),
  })),
  missing: missing && { count: missing.count, reason: failureOf(missing.failure) ?? 'refused' },
})

const editIssues = (
  { sources, mask }: Edit,
  usable: { readonly mostSources: number; readonly config: Readonly<Record<string, unknown>> },
) => {
  if (sources.length === 0) return []
  if (usable.mostSources === 0) return [{ path: 'body.images', message: 'this model creates images from text only' }]
  return [
    ...(sources.length > usable.mostSources
      ? [{ path: 'body.images', message: `this model accepts at most ${usable.mostSources} source images` }]
      : []),
    ...(mask && usable.config['supports_mask'] !== true
      ? [{ path: 'body.mask', message: 'this model doesn’t support masks' }]
      : []),
  ]
}

const digestOf = ({ bytes }: SourcePicture): string => createHash('sha256').update(bytes).digest('hex')

/** What has a value, as facts. */
export const factsOf = (values: MediaFacts): MediaFacts =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** What is asked for; what it is made from is read once its model is known, which says whether it takes AVIF. */
async function readEdit(
  context: MediaJobContext,
  accountId: string,
  file: UploadedFile,
): Promise<{ readonly wish: ImageWish; readonly read: (takesAvif: boolean) => Promise<Edit> }> {
  if (file.mediaType !== 'multipart/form-data') {
    throw fail('unsupported_media_type', 'Send the images as multipart/form-data.')
  }
  const form = await file.form()
  const { sourceMediaId = '', ...wish } = readFields(ImageEditForm, form.fields)
  const ids = sourceMediaId
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  const sent = form.files.filter(({ field }) => field === 'images' || field === 'image')
  const mask = form.files.find(({ field }) => field === 'mask')
  const count = ids.length + sent.length
  requireNone(
    count === 0
      ? [{ path: 'body.images', message: 'send a picture, or name one of the gallery as sourceMediaId' }]
      : count > mostSources
        ? [{ path: 'body.images', message: `can have at most ${mostSources} images` }]
        : [],
  )
  const read = async (takesAvif: boolean): Promise<Edit> => {
    const sources: SourcePicture[] = []
    for (const id of ids) sources.push(await readSource(context, accountId, id, 'sourceMediaId', takesAvif))
    for (const { bytes } of sent) sources.push(await toUprightSource(bytes, 'images', takesAvif))
    return { sources, mask: mask && toSource(mask.bytes, 'mask'), ids, uploaded: sent.length }
  }
  return { wish, read }
}
