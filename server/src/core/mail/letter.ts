/** A letter as it is kept and sent: plain text, and the same as simple HTML. No remote pictures, nothing that counts readers. */
import { Email } from '@atrium/contract/accounts'
import { defaultLanguage, directionOf, languageCodes } from '@atrium/contract/languages'
import { z } from 'zod'

const noBreaks = /^[^\p{Cc}]*$/u
const mostSubject = 200
const mostText = 6000

export const MailMessage = z.strictObject({
  /** Whose it is: dropped when that account is not active any more. */
  accountId: z.string().nullable().default(null),
  /** One address, without a name: nothing in it can begin another header or another recipient. */
  to: Email.regex(noBreaks),
  subject: z.string().min(1).max(mostSubject).regex(noBreaks),
  text: z.string().min(1).max(mostText),
  html: z.string().max(50_000).optional(),
  /** What the workspace is called: it stands at the foot. */
  workspace: z.string().min(1).max(100).regex(noBreaks).default('Atrium'),
  language: z.enum(languageCodes).default(defaultLanguage),
  /** The same in every try, so that a mailbox which was handed one twice can tell (RFC 5322, 3.6.4). */
  reference: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
  /** Where its reader stops letters such as this (RFC 2369): at once, by a POST without anything else (RFC 8058). */
  unsubscribe: z
    .string()
    .max(1000)
    .regex(/^https?:\/\/[^\s<>,]+$/)
    .optional(),
})
export type MailMessage = z.output<typeof MailMessage>

/** The sender: an address, perhaps with a name before it. Null for what is neither. */
export const readSender = (text: string): { name: string; address: string } | null => {
  const plain = text.trim()
  if (!noBreaks.test(plain)) return null
  const named = /^(?:"([^"<>]*)"|([^"<>]*?))\s*<([^<>]+)>$/.exec(plain)
  const address = (named?.[3] ?? plain).trim()
  if (!Email.safeParse(address).success) return null
  return { name: (named?.[1] ?? named?.[2] ?? '').trim(), address }
}

/** The letter as a page: paragraphs, and a line that is only an address of the web as a link. */
export const htmlOf = ({ text, language, workspace }: Pick<MailMessage, 'text' | 'language' | 'workspace'>): string => {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((paragraph) =>
      /^https?:\/\/\S+$/.test(paragraph)
        ? `<p style="margin:0 0 16px"><a href="${escape(paragraph)}" style="color:#0b6b5b;word-break:break-all">${escape(paragraph)}</a></p>`
        : `<p style="margin:0 0 16px">${escape(paragraph).replaceAll('\n', '<br>')}</p>`,
    )
  const direction = directionOf(language)
  return [
    `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"></head>`,
    '<body style="margin:0;padding:24px;background:#ffffff;color:#1c1f1e">',
    `<div dir="${direction}" style="max-width:520px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">`,
    ...paragraphs,
    `<p style="margin:24px 0 0;color:#5d6663;font-size:14px">${escape(workspace)}</p></div></body></html>`,
  ].join('')
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
