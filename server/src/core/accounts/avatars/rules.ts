/** What may be the picture of a person, and where it is found. Pure. */
import { mostAvatarBytes, mostAvatarPixels } from '@atrium/contract/accounts'
import { readPictureUrl, type SmallPicture } from '../../../platform/formats/picture/data-url.ts'

/** The picture in a data URL; null for what is none, or too large. */
export const readAvatar = (text: string): SmallPicture | null =>
  readPictureUrl(text, { bytes: mostAvatarBytes, pixels: mostAvatarPixels })

/** Where a picture is found. */
export const avatarAddress = (tag: string | null): string | null => (tag === null ? null : `/api/users/avatars/${tag}`)
