/** The zone and the language in which the reader is told of times, and the words for what one is notified of. */
import { useNotificationKindName } from '../../blocks/notification-kind/kinds.ts'
import { useLanguage } from '../../lib/texts.ts'

export interface ReaderWords {
  readonly zone: string
  readonly language: string
  /** What kinds of notifications are called. */
  readonly kindName: ReturnType<typeof useNotificationKindName>
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const useOwnTime = (): ReaderWords => ({
  zone: ownZone(),
  language: useLanguage(),
  kindName: useNotificationKindName(),
})
