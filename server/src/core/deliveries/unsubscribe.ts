/**
 * What stops letters about a kind of notification without a sign-in: a token that is signed by account and kind with a key
 * of the instance, so that nothing of it is kept. It opens nothing else. Whoever has a letter can use it, again and again.
 */
import { timingSafeEqual } from 'node:crypto'
import { type deliveriesRoutes, MailKind } from '@atrium/contract/deliveries'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { Notifications } from '../notifications/index.ts'

export interface UnsubscribeDeps {
  readonly vault: Pick<Vault, 'blindIndex'>
  readonly notifications: Pick<Notifications, 'stopMail'>
  /** The account, or null. */
  readonly user: (accountId: string) => Promise<unknown>
}

type Signing = Pick<UnsubscribeDeps, 'vault'>

/** The token of the letters to an account about a kind, or of its digests. */
export const unsubscribeToken = ({ vault }: Signing, accountId: string, kind: MailKind): string =>
  `${accountId}.${kind}.${vault.blindIndex('deliveries.unsubscribe', JSON.stringify([accountId, kind]))}`

export const unsubscribeHandlers = ({
  vault,
  notifications,
  user,
}: UnsubscribeDeps): Handlers<typeof deliveriesRoutes> => ({
  // Programs open the links of letters, so this changes nothing. The page has the token behind the `#`.
  async unsubscribePage({ params: { token } }) {
    if (!readToken({ vault }, token)) throw fail('unsubscribe_link_not_found')
    return `/unsubscribe#${encodeURIComponent(token)}`
  },

  async unsubscribe({ params: { token } }) {
    const found = readToken({ vault }, token)
    // Of an account that is gone nothing is written any more.
    if (!found || !(await user(found.accountId))) throw fail('unsubscribe_link_not_found')
    await notifications.stopMail(found.accountId, found.kind)
    return { kind: found.kind }
  },
})

const readToken = (signing: Signing, token: string): { accountId: string; kind: MailKind } | null => {
  const [accountId = '', named] = token.split('.')
  const kind = MailKind.options.find((each) => each === named)
  if (!kind) return null
  const given = Buffer.from(token)
  const expected = Buffer.from(unsubscribeToken(signing, accountId, kind))
  return given.length === expected.length && timingSafeEqual(given, expected) ? { accountId, kind } : null
}
