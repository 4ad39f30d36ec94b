/** What is said of a notification where no page says it: in push messages, letters and webhooks. Pure. */
import { type NotificationContent, wordsOf } from '@atrium/contract/notifications'
import type { Language } from '@atrium/contract/languages'
import { deliveryLocales } from './locales/index.ts'

export interface Sentences {
  /** What kind of thing happened; nothing that somebody wrote. */
  readonly title: string
  /** The same with names and words, where there are any. */
  readonly body: string
}

export const describeNotification = (content: NotificationContent, language: Language): Sentences => {
  const { kinds, other } = deliveryLocales[language]
  const known: Readonly<Record<string, Sentences>> = kinds
  const words = wordsOf(content)
  const { title, body } = known[content.kind] ?? { title: other, body: Object.values(words).join(' · ') }
  // In one pass, so that what somebody wrote is never read as a name of a value.
  return { title, body: body.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '') }
}
