/** Reading without a network: what was read last is kept on this device, sealed, until its account signs out. */
import { calendarRoutes } from '@atrium/contract/calendar'
import { onAccountEvent } from '../../api/account-events.ts'
import { call, onAnswer } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import {
  completeEvent,
  cutToLimit,
  eventsIn,
  goneWith,
  isCalendar,
  isWholePage,
  type KeptInput,
  keptDays,
  mayStay,
  placeOfAnswer,
} from './kept.ts'
import { putEntry, readEntry, removeDatabase, removeEntries, sizeOfEntries } from './store.ts'

const flag = 'atrium.offline'
const dayMs = 24 * 3600_000
/** Of whom the store is. */
const ownerPlace = { name: 'owner', group: 'page' } as const

/** Browsers seal nothing at addresses without https. */
const canSeal = (): boolean => 'indexedDB' in globalThis && globalThis.crypto?.subtle !== undefined

/** Whether this device keeps anything. */
export function isKeeping(): boolean {
  try {
    return canSeal() && localStorage.getItem(flag) !== 'off'
  } catch {
    // Storage is switched off.
    return false
  }
}

/** Keeps answers from now on, or nothing any more: then what is there goes at once. */
export async function setKeeping(on: boolean): Promise<void> {
  if (on) localStorage.removeItem(flag)
  else localStorage.setItem(flag, 'off')
  if (!on) await wipeOffline()
  else if (me) await startOffline(me)
}

let me: string | null = null
let isServed = false
/** How often all was removed: what was asked for before is not kept after it. */
let wipes = 0

/** Keeps what is read for this account; what an earlier one left goes. */
export async function startOffline(accountId: string): Promise<void> {
  me = accountId
  if (!isKeeping() || !navigator.onLine) return
  const before = wipes
  const owner = await readEntry(ownerPlace.name).catch(() => undefined)
  if (owner !== accountId && before === wipes) {
    await removeDatabase()
    if (before === wipes) await putEntry(ownerPlace, accountId)
  }
  if (before !== wipes) return
  // Those that came before are given first.
  onAnswer((path, input, answer) => void keepAnswer(path, input as KeptInput, answer))
  await keepCalendar()
}

onAccountEvent('calendar-changed', () => void keepCalendar())
addEventListener('online', () => {
  // What was shown meanwhile may be old.
  if (isServed) void queryClient.invalidateQueries()
  isServed = false
})

/** `answer` undefined: there is none any more, or not for this account. */
async function keepAnswer(path: string, input: KeptInput, answer: unknown): Promise<void> {
  const place = isKeeping() && !isCalendar(path) ? placeOfAnswer(path, input) : null
  if (!place) return
  try {
    if (answer === undefined || !mayStay(path, answer)) {
      await removeEntries((kept) => kept.filter(({ name }) => name === place.name))
      return
    }
    if (!isWholePage(path, input)) return
    await putEntry(place, answer)
    const gone = goneWith(path, answer)
    if (gone) await removeEntries(gone)
  } catch {
    // A device that is full, or was wiped just now, keeps nothing: the page goes on without it.
  }
}

/** The next days, whatever of the calendar was on screen. */
async function keepCalendar(): Promise<void> {
  if (!isKeeping() || !navigator.onLine || me === null) return
  const today = new Date()
  today.setHours(0, 0, 0, 0)
  const query = { from: today.toISOString(), to: new Date(today.getTime() + keptDays * dayMs).toISOString() }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const place = placeOfAnswer(calendarRoutes.events.path, {})
  const before = wipes
  try {
    const answer = await call(calendarRoutes.events, { query: { ...query, timeZone } })
    if (place && before === wipes) await putEntry(place, answer)
  } catch {
    // The next change of the calendar, or the next page, asks again.
  }
}

/** What was kept of an answer; undefined where nothing was. */
export async function readOffline(path: string, input: KeptInput): Promise<unknown> {
  const place = isKeeping() ? placeOfAnswer(path, input) : null
  if (!place) return undefined
  const kept = await readEntry(place.name).catch(() => undefined)
  if (kept === undefined) return undefined
  isServed = true
  if (!isCalendar(path)) return cutToLimit(path, kept, input)
  const { items } = kept as { items: Parameters<typeof completeEvent>[0][] }
  const { from = '', to = '' } = input.query as { from?: string; to?: string }
  return { ...(kept as object), items: eventsIn(items.map(completeEvent), { from, to }) }
}

/** How much is kept, in bytes. */
export const offlineSize = async (): Promise<number> => (canSeal() ? await sizeOfEntries().catch(() => 0) : 0)

/** Removes all that is kept. */
export async function wipeOffline(): Promise<void> {
  onAnswer(null)
  wipes += 1
  if (canSeal()) await removeDatabase().catch(() => undefined)
}
