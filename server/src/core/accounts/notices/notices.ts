/** What this area asks of whoever sends mail, and to whom its mails go. */
import { defaultLanguage, type Language, preferredLanguage } from '@atrium/contract/languages'
import type { AccountContext } from '../context.ts'
import { type AccountMail, type SupportAccess, writeMail } from './mail-texts.ts'

/** Sends mail some time later; nobody waits for it, and a request tells nothing by its time. */
export interface MailSender {
  /** Switched on, with all that it needs. */
  available(): Promise<boolean>
  /** Where people find this instance, without a slash at the end; null while nobody said. */
  address(): Promise<string | null>
  /** Keeps a letter for a job. `accountId`: it is dropped when that account is not active any more. */
  send(letter: {
    readonly accountId?: string | null
    readonly to: string
    readonly subject: string
    readonly text: string
    readonly language?: Language
  }): Promise<unknown>
}

/** Writes mails in the language of an account; null: nobody's, then in the one given. */
export const createAccountMailer = (parts: Pick<AccountContext, 'mail' | 'languageOf'>) => ({
  /** Whether mails with links can be sent: the instance knows its own address as well. */
  canSend: async (): Promise<boolean> => (await parts.mail.available()) && (await parts.mail.address()) !== null,
  /** The language that an account chose; undefined where it did not. */
  languageOf: parts.languageOf,
  async send(to: string, mail: AccountMail, accountId: string | null, language?: Language): Promise<void> {
    const chosen = (accountId && (await parts.languageOf(accountId))) || language || defaultLanguage
    await parts.mail.send({ accountId, to, language: chosen, ...writeMail(mail, chosen) })
  },
})

/** Tells owners by mail of what others may have done, with their account or to it; nothing where no mail can be sent. */
export const createNotices = (parts: Pick<AccountContext, 'mail' | 'languageOf' | 'store'>) => {
  const mailer = createAccountMailer(parts)
  /** `to`: the address to tell, where it is not the one that the account has now. */
  return async (
    accountId: string,
    about:
      | ('password-changed' | 'password-and-tokens' | 'password-reset' | 'password-link' | 'password-guessed')
      | ('codes-reset' | 'email-changed' | 'removal-off' | 'address-in-use')
      | { readonly kind: 'removal-set'; readonly at: string }
      | SupportAccess,
    to?: string | null,
  ): Promise<void> => {
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
export type Notices = ReturnType<typeof createNotices>

/** The first language of an `Accept-Language` header that mails are written in (RFC 9110, section 12.5.4). */
export const acceptedLanguage = (header: string | null): Language =>
  preferredLanguage((header ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? ''))
