/** What may be the picture of a person. Pure. */
import { mostAvatarBytes, mostAvatarPixels } from '@atrium/contract/accounts'
import { type PictureHead, readHead } from '../../../platform/formats/picture/head.ts'
import { withoutMetadata } from '../../../platform/formats/picture/strip.ts'

export interface Picture {
  readonly mediaType: Exclude<PictureHead['mediaType'], 'image/gif'>
  readonly bytes: Uint8Array
}

/** A data URL that browsers and programs write: the type is only looked at to tell whether it is meant as a picture. */
const dataUrl = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/

/**
 * The picture in a data URL, by what its bytes say, without what it tells of camera and place; null for what is no PNG,
 * JPEG or WebP, and for what is too large. Nothing is decoded.
 */
export const readAvatar = (text: string): Picture | null => {
  const encoded = dataUrl.exec(text)?.[1]
  if (encoded === undefined) return null
  const sent = Buffer.from(encoded, 'base64')
  if (sent.byteLength > mostAvatarBytes) return null
  const head = readHead(sent)
  if (!head || head.mediaType === 'image/gif' || Math.max(head.width, head.height) > mostAvatarPixels) return null
  return { mediaType: head.mediaType, bytes: withoutMetadata(sent, head.mediaType).bytes }
}

/** Where a picture is found. */
export const avatarAddress = (tag: string | null): string | null => (tag === null ? null : `/api/users/avatars/${tag}`)
