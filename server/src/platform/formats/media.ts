/** Pictures and sound: nothing is decoded here; a model reads them. */
import { ReadFault } from './fault.ts'
import { isTooLarge, readHead } from './picture/head.ts'
import { withoutMetadata } from './picture/strip.ts'
import type { Reader } from './reader.ts'
import { typeOf } from './type.ts'

const nothing = { text: '', segments: [], title: null }

export const readImage: Reader = (bytes, about) => {
  const type = typeOf({ bytes, ...about })
  if ('failure' in type) throw new ReadFault(type.failure)
  const head = readHead(bytes)
  if (!head) throw new ReadFault('damaged')
  if (isTooLarge(head)) throw new ReadFault('too_complex')
  return {
    extract: nothing,
    pictures: [
      { page: null, mediaType: type.mediaType, bytes: new Uint8Array(withoutMetadata(bytes, head.mediaType).bytes) },
    ],
  }
}

export const readAudio: Reader = () => ({ extract: nothing, sound: true })

/** Whether the bytes are a JPEG that can be shown without harm. */
export const isSoundJpeg = (bytes: Uint8Array): boolean => {
  const head = readHead(bytes)
  return head?.mediaType === 'image/jpeg' && !isTooLarge(head)
}
