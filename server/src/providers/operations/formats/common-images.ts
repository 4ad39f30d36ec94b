/** Pictures over the common `/images/generations` and `/images/edits`, whole or streamed with partial ones. */
import { asArray, asObject, asText, asTokens, type Json, parseFrame } from '../../wires/json.ts'
import { errorInStream } from '../../faults.ts'
import { readableBase64 } from '../base64.ts'
import type { About, AnswerFormat, Found, FoundImages, FrameReader } from '../format.ts'
import { type Field, fieldsOf, type FormFile } from '../form.ts'
import { pictureTypeOf } from '../media-type.ts'
import { figureIn, moderatedAnswer, omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import { fittingSize } from '../sizes.ts'
import type { ImageAsk } from '../types.ts'

export const commonImages: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, about) {
    const body = { ...wordsOf(ask, about), ...streamed(ask, about) }
    const { sources = [], mask } = ask
    if (sources.length === 0) return { json: body }
    const files: FormFile[] = sources.map((source) => ({ ...source, field: sources.length > 1 ? 'image[]' : 'image' }))
    if (mask) files.push({ ...mask, field: 'mask' })
    return { address: textIn(about.config, 'edit_endpoint'), form: { fields: textFields(body), files } }
  },

  read: ({ json }, { count = 1 }) => imagesIn(asObject(json), count),

  reader: (ask) => readPartials(ask.count ?? 1),
}

/** The fields of a request in the common words. */
export function wordsOf(ask: ImageAsk, { model, config, also }: About): Json {
  return {
    ...also,
    ...omitUndefined({
      model,
      prompt: ask.prompt,
      n: config['supports_n'] === false ? undefined : (ask.count ?? 1),
      [textIn(config, 'size_parameter') ?? 'size']: fittingSize(ask.size ?? textIn(config, 'default_size'), config),
      quality: ask.quality ?? textIn(config, 'default_quality'),
      style: ask.style ?? textIn(config, 'default_style'),
      background: ask.background,
      output_format: ask.format,
      seed: ask.seed,
      response_format: config['supports_response_format'] === true ? 'b64_json' : undefined,
    }),
  }
}

/** The pictures of `{data: [{b64_json} or {url}], usage}`. Fewer than were asked for were withheld. */
export function imagesIn(answer: Json | null, count: number): FoundImages {
  if (!answer || !Array.isArray(answer['data'])) throw unreadableAnswer()
  const entries = answer['data'].slice(0, count).map((entry) => asObject(entry) ?? {})
  const pictures = entries.flatMap((entry) => {
    const found = foundIn(entry)
    return found === null ? [] : [{ found, revisedPrompt: asText(entry['revised_prompt']) }]
  })
  if (pictures.length === 0) throw entries.some(isModerated) ? moderatedAnswer() : unreadableAnswer()
  const usage = asObject(answer['usage'])
  return {
    pictures,
    withheld: entries.filter(isModerated).length,
    inputTokens: asTokens(usage?.['input_tokens']),
    outputTokens: asTokens(usage?.['output_tokens']),
  }
}

function foundIn(entry: Json): Found | null {
  if (isModerated(entry)) return null
  const [base64, address] = [asText(entry['b64_json']), asText(entry['url'])]
  if (base64 !== '') return { base64 }
  return address === '' ? null : { address }
}

/** A picture that was drawn and withheld has its place in the list, with the reason. */
const isModerated = (entry: Json): boolean =>
  entry['respect_moderation'] === false || /moderat|content_?filter|safety/i.test(asText(entry['finish_reason']))

/** Partial pictures cost: they are asked for where somebody looks, and of one picture. */
const streamed = ({ count = 1 }: ImageAsk, { config, partials }: About): Json => {
  const partial = figureIn(config, 'max_partial_images')
  return partial === null || partials === 0 || count > 1
    ? {}
    : { stream: true, partial_images: Math.min(3, partial, partials) }
}

const textFields = (body: Json): Field[] =>
  fieldsOf(body as Readonly<Record<string, string | number | boolean | undefined>>)

/** `image_generation.partial_image` and `.completed`, or the same of `image_edit`. */
function readPartials(count: number): FrameReader<FoundImages> {
  const done: Json[] = []
  let usage: Json | null = null
  return {
    frame(data) {
      const event = parseFrame(data)
      const type = asText(event?.['type'])
      if (event && (type === 'error' || event['error'])) throw errorInStream(event)
      if (event && /^image_(generation|edit)\.completed$/.test(type)) {
        done.push(event)
        usage = asObject(event['usage']) ?? usage
      }
      if (!event || !/^image_(generation|edit)\.partial_image$/.test(type)) return null
      // A draft that cannot be read is left out: the picture itself is still to come.
      const bytes = readableBase64(asText(event['b64_json']))
      const mediaType = bytes && pictureTypeOf(bytes)
      return bytes && mediaType ? { partial: { bytes, mediaType } } : null
    },
    end: () => {
      if (done.length === 0) throw unreadableAnswer()
      return imagesIn({ data: asArray(done), usage }, count)
    },
  }
}
