/** How somebody wants to be told, and when not. */
import { z } from 'zod'
import { NotificationKind } from './content.ts'

/** Out of the app. Which of them an instance has, follows from its areas. */
export const NotificationWay = z.enum(['push', 'mail', 'webhook'])
export type NotificationWay = z.infer<typeof NotificationWay>

export const WaysOfKind = z.strictObject({
  /** It stands in the inbox. */
  app: z.boolean(),
  push: z.boolean(),
  /** `digest`: in one letter a day, with all that is still unread. */
  mail: z.enum(['off', 'now', 'digest']),
  webhook: z.boolean(),
})
export type WaysOfKind = z.infer<typeof WaysOfKind>

/** On the clock of the account: `22:30`. */
export const LocalTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write it as hours and minutes, such as 22:30')
export const TimeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  }, 'this is no time zone')

/** From a time of a day on; where `to` is not later, until that time of the next day. */
export const QuietSpan = z.strictObject({ from: LocalTime, to: LocalTime })

export const mostKeywords = 50
export const mostKeywordLetters = 60
/** Of one keyword. */
export const mostKeywordWords = 5

/** The words of a text as keywords are compared: letters and digits, in small letters. */
export const keywordWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** A word, or a few that stand behind each other. */
const Keyword = z
  .string()
  .trim()
  .max(mostKeywordLetters)
  .refine((text) => {
    const words = keywordWords(text)
    return words.length > 0 && words.length <= mostKeywordWords && words.join('').length > 1
  }, `give one to ${mostKeywordWords} words, of two letters at least`)

const members = {
  /** Quiet hours and the digest go by it. */
  timeZone: TimeZone,
  /** When the digest is sent. */
  digestAt: LocalTime,
  /** Push and mail wait while somebody is at an open page of this account. */
  onlyWhenAway: z.boolean(),
  /** Monday first; null: that day begins none. In them nothing leaves the app but what is about the account’s safety. */
  quietHours: z.array(QuietSpan.nullable()).length(7),
  /** Push and mail may hold what people wrote and what things are called. */
  words: z.boolean(),
  /** A message in the own channels that holds one of them is told of. */
  keywords: z.array(Keyword).max(mostKeywords),
}

export const NotificationPreferences = z.strictObject({ ...members, kinds: z.record(NotificationKind, WaysOfKind) })
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

/** What is left out stays as it is. */
export const NotificationPreferencesPatch = z
  .strictObject({ ...members, kinds: z.partialRecord(NotificationKind, WaysOfKind) })
  .partial()
export type NotificationPreferencesPatch = z.infer<typeof NotificationPreferencesPatch>

/** Letters of alerts are written by who sees them, all in one, and not from the inbox; whether and when is chosen as for others. */
export const isMailedElsewhere = (kind: NotificationKind): boolean => kind === 'alert'

/** What is about the safety of the account is never silent: it stands in the inbox, and quiet hours do not hold it. */
export const isAlwaysTold = (kind: NotificationKind): boolean => kind === 'security'
