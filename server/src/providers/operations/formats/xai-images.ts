/** Pictures over xAI's `/images/generations` and `/images/edits`: common, but that edits are JSON. */
import type { AnswerFormat, FoundImages } from '../format.ts'
import { textIn } from '../route.ts'
import type { ImageAsk } from '../types.ts'
import { commonImages, wordsOf } from './common-images.ts'
import { dataUrlOf } from './data-url.ts'

export const xaiImages: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, about) {
    const json = wordsOf(ask, about)
    const [first, ...more] = (ask.sources ?? []).map((source) => ({ type: 'image_url', url: dataUrlOf(source) }))
    if (!first) return { json }
    const sources = more.length === 0 ? { image: first } : { images: [first, ...more] }
    return { address: textIn(about.config, 'edit_endpoint') ?? 'edits', json: { ...json, ...sources } }
  },
  read: commonImages.read,
}
