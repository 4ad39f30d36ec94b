/** Pictures over OpenRouter's `/images`: common, but that an edit is told by references in the same request. */
import type { AnswerFormat, FoundImages } from '../format.ts'
import type { ImageAsk } from '../types.ts'
import { commonImages, wordsOf } from './common-images.ts'
import { dataUrlOf } from './data-url.ts'

export const openrouterImages: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, about) {
    const { sources = [] } = ask
    const references = sources.map((source) => ({ type: 'image_url', image_url: { url: dataUrlOf(source) } }))
    return { json: { ...wordsOf(ask, about), ...(sources.length > 0 ? { input_references: references } : {}) } }
  },
  read: commonImages.read,
}
