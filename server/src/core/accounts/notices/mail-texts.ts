/**
 * What the mails about accounts say: a file of words for each language, in `locales`. `{name}` stands for a value; a line
 * that is only a link stands alone.
 */
import { type Language, languageCodes } from '@atrium/contract/languages'
import { z } from 'zod'
import { mailLocales } from './locales/index.ts'

/** What a mail is about. */
export type AccountMail =
  | { readonly kind: 'invite'; readonly link: string; readonly by: string; readonly days: number }
  | { readonly kind: 'reset'; readonly link: string }
  | { readonly kind: 'verify'; readonly link: string; readonly username: string }
  | {
      readonly kind:
        | ('password-changed' | 'password-and-tokens' | 'password-reset')
        | ('password-link' | 'password-guessed' | 'codes-reset' | 'address-in-use')
      readonly username: string
    }
  | { readonly kind: 'email-changed'; readonly username: string; readonly address: string }
  | { readonly kind: 'email-removed'; readonly username: string }
  | { readonly kind: 'removal-set'; readonly username: string; readonly at: string }
  | { readonly kind: 'removal-off' | 'removed'; readonly username: string }
  | ({ readonly kind: 'support-access'; readonly username: string } & SupportAccess)

/** An administrator may read what an account has. */
export interface SupportAccess {
  readonly administrator: string
  readonly reason: string
  readonly expiresAt: string
}

const mailKinds = [
  'invite',
  'reset',
  'verify',
  'password-changed',
  'password-and-tokens',
  'password-reset',
  'password-link',
  'password-guessed',
  'address-in-use',
  'codes-reset',
  'email-changed',
  'email-removed',
  'removal-set',
  'removal-off',
  'removed',
  'support-access',
] as const satisfies readonly AccountMail['kind'][]

const MailWords = z.strictObject({ subject: z.string(), lines: z.array(z.string()).min(1) })
const LocaleWords = z.strictObject({
  /** By form of plural, as `Intl.PluralRules` names it. */
  days: z.record(z.string(), z.string()).refine((forms) => 'other' in forms),
  mails: z.record(z.enum(mailKinds), MailWords),
})
type LocaleWords = z.infer<typeof LocaleWords>

const wordsByLanguage = new Map<Language, LocaleWords>(
  languageCodes.map((code) => [code, LocaleWords.parse(mailLocales[code])]),
)

/** Subject and body as plain text, with times as in `timeZone`, and what the workspace is called. */
export const writeMail = (
  mail: AccountMail,
  language: Language,
  {
    timeZone = 'UTC',
    workspace = 'Atrium',
  }: { readonly timeZone?: string | undefined; readonly workspace?: string } = {},
): { subject: string; text: string } => {
  const words = wordsByLanguage.get(language)
  if (!words) throw new Error(`There are no mail texts in ${language}.`)
  const { subject, lines } = words.mails[mail.kind]
  const values: Record<string, string> = { workspace: oneLine(workspace), ...valuesOf(mail, language, words, timeZone) }
  // In one pass, so that what somebody wrote is never read as a name of a value.
  const fill = (line: string) => line.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  return { subject: fill(subject), text: lines.map(fill).join('\n\n') }
}

const valuesOf = (
  mail: AccountMail,
  language: Language,
  { days }: LocaleWords,
  timeZone: string,
): Readonly<Record<string, string>> => {
  switch (mail.kind) {
    case 'invite': {
      const form = days[new Intl.PluralRules(language).select(mail.days)] ?? days.other ?? ''
      return { link: mail.link, by: oneLine(mail.by), days: form.replace('{count}', String(mail.days)) }
    }
    case 'removal-set':
      return { username: mail.username, until: formatTime(mail.at, language, timeZone) }
    case 'support-access':
      return {
        username: mail.username,
        administrator: oneLine(mail.administrator),
        reason: oneLine(mail.reason),
        until: formatTime(mail.expiresAt, language, timeZone),
      }
    default: {
      const { kind: _, ...values } = mail
      return values
    }
  }
}

/** On one line, so that nothing of it can look like a part of the mail. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const formatTime = (time: string, language: Language, timeZone: string): string => {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
    hourCycle: 'h23',
  })
  return `${format.format(new Date(time))} ${timeZone === 'UTC' ? timeZone : `(${timeZone})`}`
}
