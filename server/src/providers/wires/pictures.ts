/** Pictures beside the text of chat completions: `images: [{"type":"image_url","image_url":{"url":"data:…"}}]`. */
import type { Part } from '../types.ts'
import { readDrawn } from './drawn.ts'
import { asObject, asText } from './json.ts'

export interface PictureReader {
  /** A picture that lies elsewhere is named in the text, as models name pictures themselves. */
  add(image: unknown): Part[]
}

export function createPictureReader(): PictureReader {
  let count = 0
  return {
    add(image) {
      const url = asText(asObject(asObject(image)?.['image_url'])?.['url'])
      if (url.startsWith('data:')) {
        count += 1
        return readDrawn(count - 1, url, false)
      }
      return plainAddress.test(url) ? [{ type: 'text', delta: `\n\n![](${url})\n\n` }] : []
    },
  }
}

/** Nothing in it can end the Markdown around it. */
const plainAddress = /^https:\/\/[^\s()<>\\]{1,2000}$/
