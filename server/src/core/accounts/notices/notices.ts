/** To whom mails about accounts go, and in which language. */
import { defaultLanguage, type Language, preferredLanguage } from '@atrium/contract/languages'
import type { AccountOptions, SecurityFacts } from '../options.ts'
import type { AccountStore } from '../people/store.ts'
import { type AccountMail, type SupportAccess, writeMail } from './mail-texts.ts'

/** Writes mails in the language of an account; null: nobody's, then in the one given. */
export const createAccountMailer = (parts: Pick<AccountOptions, 'mail' | 'languageOf' | 'timeZoneOf'>) => ({
  /** Whether mails with links can be sent: the instance knows its own address as well. */
  canSend: async (): Promise<boolean> => (await parts.mail.available()) && (await parts.mail.address()) !== null,
  /** The language that an account chose; undefined where it did not. */
  languageOf: parts.languageOf,
  async send(to: string, mail: AccountMail, accountId: string | null, language?: Language): Promise<void> {
    const chosen = (accountId && (await parts.languageOf(accountId))) || language || defaultLanguage
    const timeZone = (accountId && (await parts.timeZoneOf(accountId))) || undefined
    const workspace = await parts.mail.workspaceName()
    await parts.mail.send({ accountId, to, language: chosen, ...writeMail(mail, chosen, { timeZone, workspace }) })
  },
})

type Notice =
  | ('password-changed' | 'password-and-tokens' | 'password-reset' | 'password-link' | 'password-guessed')
  | ('codes-reset' | 'email-changed' | 'removal-off' | 'address-in-use')
  | { readonly kind: 'removal-set'; readonly at: string }
  | SupportAccess

const toFacts = (about: Notice): SecurityFacts => {
  const none = { by: null, reason: null, until: null }
  if (typeof about === 'string') return { event: about, ...none }
  if ('kind' in about) return { event: about.kind, ...none, until: about.at }
  const { administrator, reason, expiresAt } = about
  return { event: 'support-access', by: administrator, reason, until: expiresAt }
}

/** Tells owners of what others may have done, with their account or to it: in their inbox, and by mail where it can be sent. */
export const createNotices = (
  parts: Pick<AccountOptions, 'clock' | 'mail' | 'languageOf' | 'notify' | 'timeZoneOf'> & {
    readonly store: Pick<AccountStore, 'user'>
  },
) => {
  const mailer = createAccountMailer(parts)
  /** `to`: the address to tell, where it is not the one that the account has now. */
  return async (accountId: string, about: Notice, to?: string | null): Promise<void> => {
    await parts.notify(accountId, parts.clock.id(), toFacts(about))
    if (!(await parts.mail.available())) return
    const user = await parts.store.user(accountId)
    const target = to ?? user?.email
    if (!user || !target) return
    const { username } = user
    const mail: AccountMail =
      typeof about === 'object'
        ? 'kind' in about
          ? { username, ...about }
          : { kind: 'support-access', username, ...about }
        : about === 'email-changed'
          ? user.email === null
            ? { kind: 'email-removed', username }
            : { kind: about, username, address: user.email }
          : { kind: about, username }
    await mailer.send(target, mail, accountId)
  }
}
export type AccountMailer = ReturnType<typeof createAccountMailer>
export type AccountNotices = ReturnType<typeof createNotices>

/** The first language of an `Accept-Language` header that mails are written in (RFC 9110, section 12.5.4). */
export const acceptedLanguage = (header: string | null): Language =>
  preferredLanguage((header ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? ''))
