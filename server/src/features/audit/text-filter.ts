/** Words in the audit. Details are sealed, so entries are opened and looked at, page by page, newest first. */
import type { AuditAction, AuditEvent } from '@atrium/contract/audit'

export interface AuditWords {
  readonly q: string
  /** Actions that are meant by the words, in the language of whoever looks. */
  readonly qActions: readonly AuditAction[]
}

/** Every word stands in the entry: in who, what, to what, from where or its details; or its action is meant. */
export const holdsWords = ({ q, qActions }: AuditWords): ((event: AuditEvent) => boolean) => {
  const words = fold(q).split(/\s+/).filter(Boolean)
  const actions = new Set(qActions)
  return (event) => {
    if (actions.has(event.action)) return true
    const { actorName, action, targetType, targetId, targetName, address, requestId, details, names } = event
    const parts = [actorName, action, targetType, targetId, targetName, address, requestId, JSON.stringify(details)]
    const text = fold([...parts, ...Object.values(names)].filter(Boolean).join('\n'))
    return words.every((word) => text.includes(word))
  }
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** So many entries are opened for one answer; the rest follows with its cursor. */
const mostOpened = 2_000

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** At most `limit` of what `keeps`, from pages of `read`. It may be less where a cursor leads on. */
export const filteredPage = async <T>(
  read: (limit: number, cursor: string | undefined) => Promise<Page<T>>,
  keeps: (item: T) => boolean,
  limit: number,
  cursor: string | undefined,
): Promise<{ items: T[]; nextCursor: string | null }> => {
  const items: T[] = []
  // Read by halves: the cursor stands behind the last one that was looked at, so no half may hold more than there is room for.
  const half = Math.ceil(limit / 2)
  let next = cursor
  for (let opened = 0; ; ) {
    const page = await read(half, next)
    items.push(...page.items.filter(keeps))
    opened += page.items.length
    next = page.nextCursor ?? undefined
    if (next === undefined || items.length + half > limit || opened >= mostOpened)
      return { items, nextCursor: next ?? null }
  }
}
