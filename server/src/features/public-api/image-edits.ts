/** Pictures drawn anew from others, in the shape that the common clients know. Nothing of them is kept. */
import { ImageEditForm, ImageVariationForm } from '@atrium/contract/public-api'
import { isTooLarge, readHead } from '../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../platform/formats/picture/strip.ts'
import type { Caller, Context, RelayAnswer, UploadedFile } from '../../platform/http/area.ts'
import { type Form, readFields } from '../../platform/http/form.ts'
import { fail } from '../../platform/http/refusal.ts'
import { turnUpright } from '../../platform/pictures/index.ts'
import type { SourcePicture } from '../../providers/operations/index.ts'
import { streamImages } from './image-stream.ts'
import { toJsonAnswer, type MediaDeps, sayImages } from './media.ts'
import { invalidRequest } from './refusals.ts'

export interface ImageEdit {
  readonly fields: ImageEditForm
  readonly sources: readonly SourcePicture[]
  readonly mask: SourcePicture | undefined
}

const mostSources = 4
/** There is no such thing as a variation any more where pictures are drawn from words and others: it is asked for. */
const moreLikeThis = 'Draw another picture like this one: the same subject, in the same style, composed anew.'

export const readImageEdit = async (file: UploadedFile): Promise<ImageEdit> => {
  const form = await readForm(file)
  const fields = readFields(ImageEditForm, form.fields)
  const mask = form.files.find(({ field }) => field === 'mask')
  return { fields, sources: sourcesIn(form, mostSources), mask: mask && toSource(mask.bytes, 'mask') }
}

export const readImageVariation = async (file: UploadedFile): Promise<ImageEdit> => {
  const form = await readForm(file)
  const { model, n, size, response_format } = readFields(ImageVariationForm, form.fields)
  const fields = { model, n, size, response_format, prompt: moreLikeThis }
  return { fields, sources: sourcesIn(form, 1), mask: undefined }
}

const readForm = async (file: UploadedFile): Promise<Form> => {
  if (file.mediaType === 'multipart/form-data') return await file.form()
  throw fail('unsupported_media_type', 'Send the images as multipart/form-data.')
}

const sourcesIn = ({ files }: Form, most: number): SourcePicture[] => {
  const given = files.filter(({ field }) => field === 'image' || field === 'image[]')
  if (given.length === 0) throw invalidRequest('image', 'is missing')
  if (given.length > most) throw invalidRequest('image', `takes ${most} ${most === 1 ? 'picture' : 'pictures'} at most`)
  return given.map(({ bytes }) => toSource(bytes, 'image'))
}

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

/** Neither what cameras write into a picture nor what its file is called leaves with it: both can tell a place. */
const toSource = (bytes: Uint8Array, field: 'image' | 'mask'): SourcePicture => {
  const head = readHead(bytes)
  const taken = field === 'mask' ? head?.mediaType === 'image/png' : head !== null && head.mediaType !== 'image/gif'
  if (!taken || head === null || head.mediaType === 'image/gif')
    throw invalidRequest(field, field === 'mask' ? 'takes a PNG' : 'takes PNG, JPEG and WebP')
  if (isTooLarge(head)) throw invalidRequest(field, 'has more pixels than can be drawn')
  const { mediaType } = head
  return { bytes: withoutMetadata(bytes, mediaType).bytes, mediaType, name: `${field}.${extensions[mediaType]}` }
}

/**
 * With its pixels as they are seen, which is what the mask and the words mean: not every provider turns a picture as it
 * says. One that cannot be turned goes as it is.
 */
const toUpright = async (source: SourcePicture): Promise<SourcePicture> => {
  const turned = await turnUpright(source.bytes)
  if (turned === null || 'failure' in turned) return source
  return { ...turned, name: `image.${extensions[turned.mediaType]}` }
}

export const createImageEdit = async (
  { fields, sources: given, mask }: ImageEdit,
  context: Context<Caller>,
  { others, clock }: MediaDeps,
): Promise<RelayAnswer> => {
  const sources: SourcePicture[] = []
  for (const source of given) sources.push(await toUpright(source))
  const { model, prompt, n, size, quality, background, output_format, response_format } = fields
  const ask = { prompt, sources, mask, count: n, size, quality, background, format: output_format }
  if (fields.stream === 'true') {
    const partials = fields.partial_images ?? 0
    return streamImages({ kind: 'image_edit', model, ask, partials }, context, { others, clock })
  }
  const answer = await others.ask(context.caller, 'image', model, ask, context.signal)
  return toJsonAnswer(sayImages(answer, Math.floor(clock.now() / 1000), response_format === 'url'))
}
