/** The threads that the account follows, in the cache, and how they follow what happens here and elsewhere. */
import { type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { runInTurn } from '../../../api/saves.ts'
import { toast } from '../../../ui/toaster.tsx'
import { timelinesOf } from '../open/store.ts'

export const followedThreads = pagesOf(routes.threads, { query: { limit: 20 } })

/** In how many there are unread replies. */
export const unreadThreads = {
  ...queryOf(routes.threads, { query: { limit: 1 } }),
  staleTime: 300_000,
  select: ({ unreadCount }: { unreadCount: number }) => unreadCount,
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** Reads the list anew, if it is on screen; what comes within a second is read once. */
export function refreshThreads(): void {
  waiting ??= setTimeout(() => {
    waiting = undefined
    void refresh(routes.threads)
  }, 1000)
}

const restMs = 300
const seen = new Map<string, { timer: ReturnType<typeof setTimeout>; seq: number }>()
/** What was said of threads that the account does not follow, so that it is said once. */
const saidInVain = new Map<string, number>()
const openOf = (channelId: string, rootId: string) => timelinesOf(channelId).find((one) => one.rootId === rootId)

/** A message of a thread was on screen while the page was seen. Said to the server once the view rests. */
export function markThreadSeen(rootId: string, { id, seq, channelId }: ChannelMessage): void {
  const pending = seen.get(rootId)
  const readSeq = openOf(channelId, rootId)?.store.getState().readSeq ?? saidInVain.get(rootId) ?? 0
  if (seq <= Math.max(pending?.seq ?? 0, readSeq)) return
  clearTimeout(pending?.timer)
  const timer = setTimeout(() => {
    seen.delete(rootId)
    // A later view says it again.
    void say(channelId, rootId, { upTo: id }, seq).catch(() => undefined)
  }, restMs)
  seen.set(rootId, { timer, seq })
}

/** All of a thread is read. */
export const markThreadRead = (root: ChannelMessage): Promise<void> => sayAloud(root.channelId, root.id, {})

/** A message of a thread and all after it are unread again. */
export async function markThreadUnreadFrom({ channelId, parentId, id, seq }: ChannelMessage): Promise<void> {
  const rootId = parentId ?? id
  clearTimeout(seen.get(rootId)?.timer)
  seen.delete(rootId)
  // Before it is said: what is on screen is not to be read again by that.
  openOf(channelId, rootId)?.store.setState({ newFrom: seq - 1, held: seq - 1 })
  await sayAloud(channelId, rootId, { unreadFrom: id })
}

async function sayAloud(channelId: string, rootId: string, body: { unreadFrom?: string }): Promise<void> {
  try {
    await say(channelId, rootId, body)
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}

function say(
  channelId: string,
  rootId: string,
  body: { upTo?: string; unreadFrom?: string },
  seq?: number,
): Promise<void> {
  return runInTurn(`read ${rootId}`, async () => {
    const { readSeq } = await call(routes.markThreadRead, { params: { messageId: rootId }, body })
    if (readSeq === null) {
      if (seq !== undefined) saidInVain.set(rootId, seq)
      return
    }
    openOf(channelId, rootId)?.store.setState({ readSeq })
    void refresh(routes.threads)
  })
}

onAccountEvent('channel-thread-read-moved', ({ channelId, rootId, readSeq }) => {
  const open = openOf(channelId, rootId)
  // What this page said itself is shown already.
  if (open?.store.getState().readSeq === readSeq) return
  open?.store.setState({ readSeq })
  refreshThreads()
})
