/**
 * Sends presence to pages: each page names the people on its screen, and gets their presence as long as its account may see
 * it. At most once in five seconds for each person; that somebody left is sent only after five seconds, so that reloading
 * a page shows nothing.
 */
import type { Presence } from '@atrium/contract/presence'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { type PresenceSettings, settingsAt, shownState, usualSettings } from './rules.ts'

/** Between two updates about one person. */
const paceMs = 5_000
/** Settings of people on screen are read again after so long, in case the message that they changed was lost. */
const rereadMs = 60_000

export interface WatchingDeps {
  readonly clock: Clock
  readonly log: Log
  readonly isHere: (accountId: string) => boolean
  readonly readSettings: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, PresenceSettings>>
  /** Which of the others may see the account’s presence: asked before each update, as rights change. */
  readonly acquaintances: (accountId: string, others: readonly string[]) => Promise<ReadonlySet<string>>
}

export interface Watcher {
  /** Replaces the people on screen, and sends the presence of all of them. */
  show(accountIds: readonly string[]): void
  stop(): void
}

interface Page {
  readonly accountId: string
  readonly tell: (people: Presence[]) => void
  shown: ReadonlySet<string>
}

interface Watched {
  readonly pages: Set<Page>
  settings: PresenceSettings
  /** What was told of them last, and when. */
  told: Presence
  toldAt: number
  /** When to look whether there is something to tell; null: there is nothing. */
  dueAt: number | null
}

export const createWatching = ({ clock, log, isHere, readSettings, acquaintances }: WatchingDeps) => {
  const watched = new Map<string, Watched>()
  let rereadAt = 0

  const presenceOf = (userId: string, settings: PresenceSettings): Presence => ({
    userId,
    state: shownState(settingsAt(settings, clock.now()), isHere(userId)),
    status: settings.status,
  })
  const leave = (page: Page, userId: string): void => {
    const one = watched.get(userId)
    one?.pages.delete(page)
  }
  /** Tells every page that shows somebody; who may not know any more is told nothing. */
  const tell = async (userId: string, one: Watched): Promise<void> => {
    const presence = presenceOf(userId, one.settings)
    one.dueAt = null
    one.told = presence
    one.toldAt = clock.now()
    const others = [...one.pages].map(({ accountId }) => accountId).filter((id) => id !== userId)
    const may = others.length === 0 ? new Set<string>() : await acquaintances(userId, [...new Set(others)])
    for (const page of one.pages)
      if (page.accountId === userId || may.has(page.accountId)) page.tell([presence])
      else leave(page, userId)
  }
  const attempt = (work: Promise<void>): void =>
    void work.catch((error: unknown) => log.debug('Who is there could not be told.', { error }))
  const isDue = (one: Watched, presence: Presence): boolean =>
    presence.state !== one.told.state || presence.status !== one.told.status
  const consider = (userId: string, one: Watched): void => {
    const presence = presenceOf(userId, one.settings)
    if (!isDue(one, presence)) {
      one.dueAt = null
      return
    }
    const now = clock.now()
    // Who reloads a page, or comes back over another process, was not away.
    const waits = presence.state === 'away' && presence.status === one.told.status ? paceMs : 0
    one.dueAt ??= Math.max(now + waits, one.toldAt + paceMs)
    if (one.dueAt <= now) attempt(tell(userId, one))
  }
  const reread = async (accountIds: readonly string[]): Promise<void> => {
    const all = await readSettings(accountIds)
    for (const accountId of accountIds) {
      const one = watched.get(accountId)
      if (one) one.settings = all.get(accountId) ?? usualSettings
      if (one) consider(accountId, one)
    }
  }
  const show = async (page: Page, accountIds: readonly string[]): Promise<void> => {
    const wanted = new Set(accountIds)
    page.shown = wanted
    const others = [...wanted].filter((id) => id !== page.accountId)
    const may = new Set(others.length === 0 ? [] : await acquaintances(page.accountId, others))
    if (wanted.has(page.accountId)) may.add(page.accountId)
    const fresh = [...may].filter((id) => !watched.has(id))
    const settings = fresh.length === 0 ? new Map<string, PresenceSettings>() : await readSettings(fresh)
    // Something else is on screen by now, or the page is gone.
    if (page.shown !== wanted) return
    for (const [id, { pages }] of watched) if (!may.has(id)) pages.delete(page)
    const people = [...may].map((id) => {
      const known = watched.get(id)
      if (known) {
        known.pages.add(page)
        return known.told
      }
      const set = settings.get(id) ?? usualSettings
      const told = presenceOf(id, set)
      watched.set(id, { pages: new Set([page]), settings: set, told, toldAt: clock.now(), dueAt: null })
      return told
    })
    if (people.length > 0) page.tell(people)
  }

  return {
    open(accountId: string, sendToPage: Page['tell']): Watcher {
      const page: Page = { accountId, tell: sendToPage, shown: new Set() }
      return {
        show: (accountIds) => attempt(show(page, accountIds)),
        stop() {
          page.shown = new Set()
          for (const { pages } of watched.values()) pages.delete(page)
        },
      }
    },
    /** Somebody came or went. */
    changed(accountId: string): void {
      const one = watched.get(accountId)
      if (one) consider(accountId, one)
    },
    /** Somebody changed how they are shown: their own pages hear of it, also where others see no difference. */
    set(accountId: string): void {
      const one = watched.get(accountId)
      if (!one) return
      attempt(
        reread([accountId]).then(() => {
          for (const page of one.pages) if (page.accountId === accountId) page.tell([one.told])
        }),
      )
    },
    /** Call it every second: tells what had to wait. */
    look(): void {
      const now = clock.now()
      for (const [userId, one] of watched) {
        if (one.pages.size === 0) {
          // Kept for a while, so that nobody learns more by asking again and again.
          if (now - one.toldAt >= paceMs || now < one.toldAt) watched.delete(userId)
        } else if (one.dueAt === null) {
          if (one.settings.until !== null) consider(userId, one)
        } else if (one.dueAt <= now || one.dueAt > now + 2 * paceMs) {
          if (isDue(one, presenceOf(userId, one.settings))) attempt(tell(userId, one))
          else one.dueAt = null
        }
      }
      if (now - rereadAt < rereadMs && now >= rereadAt) return
      rereadAt = now
      const ids = [...watched.keys()]
      if (ids.length > 0) attempt(reread(ids))
    },
  }
}
