/** The last letter to somebody whose account is deleted. It is written before the address is gone. */
import type { AccountRemovals } from '../people/removal.ts'
import type { AccountOptions } from '../options.ts'
import type { AccountStore } from '../people/store.ts'
import { createAccountMailer } from './notices.ts'

/** The same removals; who had an address is told of a deletion once it has begun, and cannot be called off. */
export const notifyOnRemoval = (
  parts: Pick<AccountOptions, 'mail' | 'languageOf' | 'timeZoneOf'> & { readonly store: Pick<AccountStore, 'user'> },
  removals: AccountRemovals,
): AccountRemovals => {
  const mailer = createAccountMailer(parts)
  return {
    ...removals,
    async begin(accountId, who, only) {
      const user = (await parts.mail.available()) ? await parts.store.user(accountId) : null
      const language = user ? await parts.languageOf(accountId) : undefined
      await removals.begin(accountId, who, only)
      // It is nobody's letter: those of accounts that are not active any more are dropped.
      if (user?.email) await mailer.send(user.email, { kind: 'removed', username: user.username }, null, language)
    },
  }
}
