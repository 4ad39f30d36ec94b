import type { Source } from '@atrium/contract/generation'
import { attachmentUrl } from '../../../blocks/attachment-url.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { translate } from 'virtual:words/chat'

/** Where in its document a passage stands: `Page 3`, the name of a sheet, a heading. Of a web page, its host. */
export function placeOf({ location, section, url }: Source): string | null {
  if (location?.number && (location.kind === 'page' || location.kind === 'slide'))
    return translate(`chat:sources.${location.kind}`, { number: formatNumber(location.number) })
  return location?.label || section || (url ? hostOf(url) : null)
}

/** Name and place in one line. */
export const titleOf = (source: Source): string => [source.name, placeOf(source)].filter(Boolean).join(', ')

/** Where a source can be opened; null where it cannot. `sharedChatId`: where it stands in a chat of somebody else. */
export function addressOf(
  { documentId, attachmentId, url, startChar, endChar }: Source,
  sharedChatId?: string,
): string | null {
  if (documentId) {
    const at = startChar !== undefined && endChar !== undefined ? { from: startChar, to: endChar } : undefined
    return links.document(documentId, at)
  }
  if (attachmentId) return attachmentUrl(attachmentId, sharedChatId)
  return url && /^https?:\/\//i.test(url) ? url : null
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}
