/** What this browser keeps of drafts, and which of two texts counts. */
import { create } from 'zustand'

/** The text of a channel or a thread as this browser has it. */
export interface KeptDraft {
  readonly content: string
  /** Whether the server has exactly this. */
  readonly saved: boolean
  /** When it was typed here, or what the server calls its time. */
  readonly at: string
}

/** Counts how often a text began or ended, for lists that show where something is typed. */
export const useDraftChanges = create<{ readonly count: number }>(() => ({ count: 0 }))

const prefix = (accountId: string): string => `atrium.channel-draft:${accountId}:`

export const placeOf = (accountId: string, channelId: string, rootId: string | null): string =>
  `${prefix(accountId)}${channelId}${rootId === null ? '' : `:${rootId}`}`

/** The channels and threads of which this browser keeps a text. */
export function keptPlaces(accountId: string): { channelId: string; rootId: string | null }[] {
  const mine = prefix(accountId)
  try {
    return Object.keys(localStorage).flatMap((key) => {
      if (!key.startsWith(mine)) return []
      const [channelId = '', rootId = null] = key.slice(mine.length).split(':')
      return [{ channelId, rootId }]
    })
  } catch {
    // Storage is switched off.
    return []
  }
}

export function readKept(place: string): KeptDraft | null {
  try {
    return parseKept(localStorage.getItem(place))
  } catch {
    // Storage is switched off.
    return null
  }
}

/** null: nothing is kept there any more. */
export function keepDraft(place: string, draft: KeptDraft | null): void {
  const had = Boolean(readKept(place)?.content)
  try {
    if (draft === null || (draft.saved && draft.content === '')) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // The browser's space is used up: it lasts as long as the page.
  }
  if (had !== Boolean(draft?.content)) useDraftChanges.setState(({ count }) => ({ count: count + 1 }))
}

/** Reads what was kept; a text from before drafts were on every device stands there by itself. */
export function parseKept(text: string | null): KeptDraft | null {
  if (text === null || text === '') return null
  try {
    const { content, saved, at } = JSON.parse(text) as Partial<KeptDraft>
    if (typeof content === 'string' && typeof at === 'string') return { content, saved: saved === true, at }
  } catch {
    // It is the text itself.
  }
  return { content: text, saved: false, at: new Date(0).toISOString() }
}

/**
 * The text that counts. What is typed just now stays whatever comes; else the newer one does, and what the server does not
 * have any more was sent or deleted elsewhere.
 */
export function chooseDraft(
  local: KeptDraft | null,
  server: { readonly content: string; readonly updatedAt: string } | null,
  isTyping: boolean,
): KeptDraft | null {
  const theirs = server && { content: server.content, saved: true, at: server.updatedAt }
  if (!local || local.saved) return theirs
  return isTyping || !theirs || local.at > theirs.at ? local : theirs
}
