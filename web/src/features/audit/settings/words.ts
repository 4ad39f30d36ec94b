/** What an entry of the audit says, in words as far as administrators may know them. */
import type { AuditEvent } from '@atrium/contract/audit'
import { errors } from '@atrium/contract/errors'
import { codeWords } from '../../../api/errors.ts'
import { formatList, formatDateTime } from '../../../lib/format.ts'
import type { ResourceWords } from '../../../lib/resources.ts'
import { i18n, type Translate } from '../../../lib/texts.ts'

/** Ids are long; so much of one tells it from others that are on the screen. */
const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id)

/** Targets that are no kind of resource and have a word of their own. */
const kinds: ReadonlySet<string> = new Set([
  ...['account', 'group', 'session', 'token', 'passkey', 'identity'],
  ...['identity-provider', 'invitation', 'scim-token', 'setting', 'job', 'banner', 'webhook'],
  ...['harness-run', 'harness-automation', 'tool'],
])

/** What it is about and with whom; null where it is about whoever did it. */
export function aboutOf(event: AuditEvent, t: Translate, words: ResourceWords): string | null {
  const thing = thingOf(event, t, words)
  const principal = event.details?.['principalId'] ?? event.details?.['accountId']
  const whom = typeof principal === 'string' ? event.names[principal] : undefined
  if (thing === null) return whom ?? null
  return whom === undefined ? thing : t('thingWith', { thing, whom })
}

/** What it is about: a name where that may be known, else what kind of thing and the beginning of its id. */
const thingOf = (
  { actorUserId, targetType, targetId, targetName }: AuditEvent,
  t: Translate,
  words: ResourceWords,
): string | null => {
  if (targetType === null || (targetId !== null && targetId === actorUserId)) return null
  if (targetName !== null) return targetName
  if (targetId === null) return null
  return t('thingId', {
    kind: kinds.has(targetType) ? t(`thing.${targetType}`) : words(targetType, 'one'),
    id: targetType === 'setting' || targetType === 'tool' ? targetId : shortId(targetId),
  })
}

/** Why something was refused or failed, as a sentence; what has none stays as it was written. */
export function reasonOf(code: string, t: Translate): string {
  const key = i18n.language.startsWith('en') ? undefined : codeWords(code)
  if (key) return i18n.t(key)
  const own =
    t(`reasons.${code.replaceAll('_', '-')}`, { defaultValue: '' }) ||
    i18n.t(`sign-in-providers:reasons.${code}`, { defaultValue: '' })
  if (own) return own
  return code in errors ? errors[code as keyof typeof errors][1] : code
}

/** One detail: ids by what they are called, times as times, reasons as sentences. */
export function detailOf(name: string, value: Detail, event: AuditEvent, t: Translate): string {
  if (Array.isArray(value)) return formatList(value.map((each) => event.names[each] ?? each))
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (value === null) return t('nothing')
  const text = String(value)
  if (name === 'reason') return reasonOf(text, t)
  if (name === 'decision') return t(`decision.${text}`, { defaultValue: text })
  if (name === 'right') return t(`right.${text}`, { defaultValue: text })
  if (name === 'expiresAt') return formatDateTime(text)
  return event.names[text] ?? text
}

type Detail = NonNullable<AuditEvent['details']>[string]
