/** Pictures as events, in the shape that the common clients know: some as far as they are, then each as it is. */
import type { Caller, Context, RelayAnswer } from '../../platform/http/area.ts'
import type { CallNews, ImageAsk, Images } from '../../providers/operations/index.ts'
import { followWork } from './follow-work.ts'
import type { MediaDeps } from './media.ts'
import { formatNamedEvent, toEventAnswer } from './shapes/shape.ts'

export interface ImageStream {
  /** What its events are called by. */
  readonly kind: 'image_generation' | 'image_edit'
  readonly model: string
  readonly ask: ImageAsk
  /** So many pictures as far as they are, at most. */
  readonly partials: number
}

/** Where the provider does not stream, the stream has just its end. */
export const streamImages = (stream: ImageStream, context: Context<Caller>, deps: MediaDeps): RelayAnswer =>
  toEventAnswer(sayEvents(stream, context, deps), context.requestId)

async function* sayEvents(
  { kind, model, ask, partials }: ImageStream,
  { caller, signal }: Context<Caller>,
  { others, clock }: MediaDeps,
): AsyncGenerator<string> {
  const about = { quality: ask.quality ?? 'auto', background: ask.background ?? 'auto' }
  const say = (type: string, picture: NonNullable<CallNews['partial']>, more: object): string => {
    const [, output_format = 'png'] = picture.mediaType.split('/')
    const b64_json = Buffer.from(picture.bytes).toString('base64')
    const created_at = Math.floor(clock.now() / 1000)
    const name = `${kind}.${type}`
    return formatNamedEvent(name, { type: name, b64_json, created_at, output_format, ...about, ...more })
  }
  let told = 0
  const steps = followWork<CallNews, Images>((heard) =>
    others.ask(caller, 'image', model, ask, signal, { heard, partials }),
  )
  for await (const step of steps) {
    if ('result' in step) {
      const { pictures, inputTokens, outputTokens } = step.result
      const usage = usageOf(inputTokens, outputTokens)
      for (const [at, picture] of pictures.entries()) {
        const size = `${picture.width}x${picture.height}`
        // What all of them took is told once.
        yield say('completed', picture, { size, usage: at === pictures.length - 1 ? usage : usageOf(0, 0) })
      }
    } else if (step.news.partial && told < partials) {
      yield say('partial_image', step.news.partial, { size: ask.size ?? 'auto', partial_image_index: told })
      told += 1
    }
  }
}

/** 0 where the provider does not count. */
export const usageOf = (input: number | null, output: number | null) => ({
  input_tokens: input ?? 0,
  output_tokens: output ?? 0,
  total_tokens: (input ?? 0) + (output ?? 0),
})
