/**
 * Presence of accounts. Pages report whether somebody is active in front of them; all processes keep that in memory, and it
 * is never stored. What people set (mode, its end, a status line) is stored sealed. Presence is sent only to accounts that
 * share a channel with the person, and only while that person is on their screen. It never says since when or where
 * somebody is active.
 */
import { longestDoNotDisturbMs, type OwnPresence, type Presence, type presenceRoutes } from '@atrium/contract/presence'
import { fail } from '../../platform/http/refusal.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { toIsoTimeOrNull } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { createSlot } from '../../platform/slot.ts'
import { createRoster } from './roster.ts'
import { isCalledHere, type PresenceSettings, settingsAt, usualSettings } from './rules.ts'
import { createPresenceStore } from './store.ts'
import { createWatching, type WatchingDeps } from './watching.ts'

export { presenceMigrations, presenceSealed } from './tables.ts'

export type PresenceDeps = Pick<Platform, 'clock' | 'database' | 'log' | 'processId' | 'vault'>

/** A page of an account that is connected. */
export interface PresenceVisit {
  /** Whether somebody is there in front of it. */
  here(isHere: boolean): void
  /** Who is on screen now: the page is told of them, at once and when it changes. */
  shows(accountIds: readonly string[]): void
  /** The page is gone. */
  end(): void
}

const lookMs = 1000

export const createPresence = (deps: PresenceDeps) => {
  const { clock } = deps
  const store = createPresenceStore(deps)
  const acquaintances = createSlot<WatchingDeps['acquaintances']>('Who may know whether somebody is there')
  const settingsOf = async (accountIds: readonly string[]): Promise<ReadonlyMap<string, PresenceSettings>> => {
    const now = clock.now()
    return new Map([...(await store.read(accountIds))].map(([id, settings]) => [id, settingsAt(settings, now)]))
  }
  const ownSettings = async (accountId: string) => (await settingsOf([accountId])).get(accountId) ?? usualSettings

  const roster = createRoster({
    ...deps,
    changed: (accountId, wasSet) => (wasSet ? watching.set(accountId) : watching.changed(accountId)),
  })
  const watching = createWatching({
    ...deps,
    isHere: roster.isHere,
    readSettings: store.read,
    acquaintances: (accountId, others) => acquaintances.get()(accountId, others),
  })
  const look = (): void => {
    roster.look()
    watching.look()
  }
  const timer = setInterval(look, lookMs).unref()

  const handlers: Handlers<typeof presenceRoutes> = {
    own: async (_, { caller }) => toOwnPresence(await ownSettings(caller.accountId)),
    async set({ body: { mode, until = null, status = null } }, { caller: { accountId } }) {
      const end = until === null ? null : Date.parse(until)
      const message = 'must be in the future, and within a year'
      if (end !== null && (end <= clock.now() || end > clock.now() + longestDoNotDisturbMs))
        throw fail('validation_failed', undefined, [{ path: 'body.until', message }])
      const settings = { mode, until: end, status }
      await store.write(accountId, settings)
      await roster.announceSet(accountId)
      return toOwnPresence(settings)
    },
  }

  return {
    handlers,
    accountRemoved: store.removeAccount,
    /** Sends updates that are due, and drops accounts that other processes no longer report; called every second. */
    look,
    async stop(): Promise<void> {
      clearInterval(timer)
      await roster.stop()
    },
    api: {
      /** Filled by the area that knows which accounts share a channel. */
      acquaintances,
      /** A page of an account connected; `tell` gets the presence of the people whom it has on screen. */
      visit(accountId: string, tell: (people: Presence[]) => void): PresenceVisit {
        const visit = roster.visit(accountId)
        const watcher = watching.open(accountId, tell)
        return {
          here: visit.say,
          shows: watcher.show,
          end() {
            visit.leave()
            watcher.stop()
          },
        }
      },
      /**
       * Whether the account is active on a page, in any process, and not set to away. Invisible and do-not-disturb count
       * as present.
       */
      async isPresent(accountId: string): Promise<boolean> {
        return roster.isHere(accountId) && (await ownSettings(accountId)).mode !== 'away'
      },
      /** Of these accounts, those that others see as active, or as not to be disturbed while active: whom `@here` notifies. */
      async listPresent(accountIds: readonly string[]): Promise<string[]> {
        const here = accountIds.filter(roster.isHere)
        const settings = await settingsOf(here)
        return here.filter((id) => isCalledHere(settings.get(id) ?? usualSettings, true))
      },
      /** Until when (milliseconds) an account is not to be disturbed; null: it may be. */
      quietUntil: async (accountId: string): Promise<number | null> => (await ownSettings(accountId)).until,
      /** As an account has set it. */
      settingsOf: async (accountId: string): Promise<OwnPresence> => toOwnPresence(await ownSettings(accountId)),
    },
  }
}
export type PresenceArea = ReturnType<typeof createPresence>['api']

const toOwnPresence = ({ mode, until, status }: PresenceSettings): OwnPresence => ({
  mode,
  until: toIsoTimeOrNull(until),
  status,
})
