/** Pictures over Hugging Face's `hf-inference/models/{model}`: a prompt in, the bytes of a picture out. */
import type { AnswerFormat, FoundImages } from '../format.ts'
import { omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { ImageAsk } from '../types.ts'

export const huggingfaceImages: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, { config, also }) {
    const size = ask.size ?? textIn(config, 'default_size')
    const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? '') ?? []
    const parameters = {
      ...also,
      ...omitUndefined({ width: figure(width), height: figure(height), seed: ask.seed }),
    }
    return { json: { inputs: ask.prompt, parameters }, accept: 'image/png' }
  },
  read({ bytes, json }) {
    if (json !== null || bytes.byteLength === 0) throw unreadableAnswer()
    return { pictures: [{ found: { bytes } }] }
  },
  limits: () => ({ timeoutMs: 120_000, maxBytes: 50 * 1024 * 1024 }),
}

const figure = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
