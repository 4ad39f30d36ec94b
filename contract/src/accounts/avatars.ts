/** Pictures of people. */
import { z } from 'zod'
import { bytes, routes } from '../route.ts'
import { User } from './account.ts'

/** A picture is at most so large, in bytes and along each side in pixels. Pages cut and scale it before they send it. */
export const mostAvatarBytes = 64 * 1024
export const mostAvatarPixels = 512

/** A picture as a data URL (PNG, JPEG or WebP, in Base64); null: none. */
export const AvatarChange = z
  .string()
  .max(Math.ceil(mostAvatarBytes / 3) * 4 + 40)
  .nullable()

export const avatars = routes({
  setAvatar: {
    method: 'patch',
    path: '/api/users/me/avatar',
    access: 'user',
    limit: 'account',
    summary:
      'Set your picture (PNG, JPEG or WebP as a data URL, at most 64 KiB and 512 pixels a side); null removes it',
    body: z.strictObject({ avatar: AvatarChange }),
    returns: User,
    errors: ['avatar_unsupported'],
  },
  avatar: {
    method: 'get',
    path: '/api/users/avatars/{tag}',
    access: 'user',
    names: 'instance',
    summary: 'Get an account’s picture at the address given in `avatar`. A new picture has a new address',
    params: z.strictObject({ tag: z.string().regex(/^[0-9a-f]{32}$/) }),
    returns: bytes,
    errors: ['avatar_not_found'],
  },
})
