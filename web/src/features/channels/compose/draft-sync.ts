/** Brings drafts to the server within a second, and what is typed on other devices here. */
import { type ChannelDraft, channelsRoutes as routes } from '@atrium/contract/channels'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { isTemporary } from '../../../api/query.ts'
import { chooseDraft, keepDraft, keptPlaces, placeOf, readKept } from './kept-draft.ts'

const restMs = 1000

/** A channel or a thread, and what its text is called in this browser. */
export interface DraftPlace {
  readonly place: string
  readonly channelId: string
  readonly rootId: string | null
}

let account = ''
/** Places that are to be saved, by what they are called here. */
const waiting = new Map<string, DraftPlace & { timer: ReturnType<typeof setTimeout> }>()
/** Saves that are on their way. */
const running = new Set<string>()
let show: (place: string, content: string) => void = () => undefined

/** Sets who shows what another device typed. */
export const onArrival = (listener: typeof show): void => void (show = listener)

/** Takes drafts of other devices, now and from now on; once for an account. */
export function openDrafts(accountId: string): void {
  if (account === accountId) return
  account = accountId
  void readDrafts()
  addEventListener('online', () => {
    for (const { channelId, rootId } of keptPlaces(account)) {
      const place = placeOf(account, channelId, rootId)
      if (readKept(place)?.saved === false) saveSoon({ place, channelId, rootId })
    }
  })
  // What was typed last goes out with the page.
  addEventListener('pagehide', () => {
    for (const one of waiting.values()) void save(one)
  })
}

/** Something was typed: the server hears of it as soon as there is a pause. An empty text is told at once. */
export function saveSoon({ place, channelId, rootId }: DraftPlace): void {
  clearTimeout(waiting.get(place)?.timer)
  const rest = readKept(place)?.content === '' ? 0 : restMs
  const timer = setTimeout(() => void save({ place, channelId, rootId }), rest)
  waiting.set(place, { place, channelId, rootId, timer })
}

async function save(at: DraftPlace): Promise<void> {
  const { place, channelId, rootId } = at
  clearTimeout(waiting.get(place)?.timer)
  waiting.delete(place)
  // One after the other: the last one is to be the newest on the server, too.
  if (running.has(place)) return saveSoon(at)
  const kept = readKept(place)
  if (!kept || kept.saved) return
  running.add(place)
  try {
    const body = { content: kept.content, ...(rootId === null ? {} : { parentId: rootId }) }
    const { updatedAt } = await call(routes.saveDraft, { params: { channelId }, body }, { keepalive: true })
    saved++
    if (readKept(place)?.content === kept.content) keepDraft(place, { ...kept, saved: true, at: updatedAt })
  } catch (error) {
    // Where the channel or the thread is gone the text stays here alone, and is tried again when it is changed.
    if (isTemporary(error) && navigator.onLine) setTimeout(() => saveSoon(at), 5 * restMs)
  } finally {
    running.delete(place)
  }
}

let reading: ReturnType<typeof setTimeout> | undefined

onAccountEvent('channel-draft-changed', ({ channelId, parentId, updatedAt }) => {
  if (account === '') return
  const place = placeOf(account, channelId, parentId)
  const known = readKept(place)
  // What this page says itself is shown already.
  if (running.has(place) || (known?.saved && known.at >= updatedAt)) return
  clearTimeout(reading)
  reading = setTimeout(() => void readDrafts(), 100)
})

/** How often drafts were asked for, and how often one was saved from here. */
let asked = 0
let saved = 0

async function readDrafts(): Promise<void> {
  const [mine, turn, before] = [account, ++asked, saved]
  try {
    const { items } = await call(routes.drafts)
    // A later answer is on its way, or there is one already.
    if (mine !== account || turn !== asked) return
    // They may have been read before what was saved meanwhile, and would take it out of its box.
    if (before !== saved) return await readDrafts()
    takeDrafts(items)
  } catch {
    // Without a network, this browser's own texts are all there are. The next change asks again.
  }
}

function takeDrafts(items: readonly ChannelDraft[]): void {
  const servers = new Map(items.map((item) => [placeOf(account, item.channelId, item.parentId), item]))
  const places = new Map(
    [...items.map(({ channelId, parentId }) => ({ channelId, rootId: parentId })), ...keptPlaces(account)].map(
      (one) => [placeOf(account, one.channelId, one.rootId), one],
    ),
  )
  for (const [place, { channelId, rootId }] of places) {
    const local = readKept(place)
    const isTyping = waiting.has(place) || running.has(place)
    const chosen = chooseDraft(local, servers.get(place) ?? null, isTyping)
    if (chosen && !chosen.saved) {
      if (!isTyping) saveSoon({ place, channelId, rootId })
      continue
    }
    if (chosen?.content === local?.content && chosen?.at === local?.at) continue
    keepDraft(place, chosen)
    show(place, chosen?.content ?? '')
  }
}
