import { i18n } from '../../../lib/texts.ts'
import { translate } from 'virtual:words/chat-list'
import type { DateGroup } from './groups.ts'

/** What a group is called: `Today`, `Previous 7 days`, `September 2026`. */
export function groupName(group: DateGroup | 'pinned' | 'folders'): string {
  if (typeof group === 'string') return translate(`chat-list:group.${group}`)
  const date = new Date(group.year, group.month, 1)
  return new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric' }).format(date)
}
