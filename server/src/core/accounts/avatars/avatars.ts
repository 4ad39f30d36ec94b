/** Pictures of people: set and taken away by themselves or by administrators, and seen by everybody who signed in. */
import type { accountsRoutes } from '@atrium/contract/accounts'
import type { BytesAnswer, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountOptions } from '../options.ts'
import type { AccountStore } from '../people/store.ts'
import { readAvatar } from './rules.ts'
import { type AvatarStore, createAvatarStore } from './store.ts'

export interface Avatars {
  /** Sets a picture from a data URL, or takes it away. Refuses with `avatar_unsupported`, `user_not_found`. */
  change(accountId: string, avatar: string | null): Promise<void>
  /** For exports: the picture of an account; null where it has none. */
  readOf: AvatarStore['readOf']
  readonly handlers: Pick<Handlers<typeof accountsRoutes>, 'setAvatar' | 'avatar'>
}

export const createAvatars = (
  deps: Pick<AccountOptions, 'announce' | 'clock' | 'database' | 'vault'> & { readonly accounts: AccountStore },
): Avatars => {
  const store = createAvatarStore(deps)
  const change: Avatars['change'] = async (accountId, avatar) => {
    const picture = avatar === null ? null : readAvatar(avatar)
    if (avatar !== null && picture === null) throw fail('avatar_unsupported')
    if (!(await store.put(accountId, picture, deps.clock.now()))) throw fail('user_not_found')
  }

  return {
    change,
    readOf: store.readOf,
    handlers: {
      async setAvatar({ body }, { caller: { accountId } }) {
        await change(accountId, body.avatar)
        await deps.announce(accountId, { type: 'account-changed', data: {} })
        const user = await deps.accounts.user(accountId)
        if (!user) throw fail('unauthenticated')
        return user
      },

      async avatar({ params }): Promise<BytesAnswer> {
        const picture = await store.read(params.tag)
        if (!picture) throw fail('avatar_not_found')
        const { bytes: body, mediaType } = picture
        const fileName = `picture.${mediaType.slice('image/'.length)}`
        return { body, mediaType, fileName, disposition: 'inline', immutable: true }
      },
    },
  }
}
