/**
 * Who is there. Pages say whether somebody is in front of them; that is held in the memory of all processes and written
 * nowhere. What people set (mode, an end, a line of status) outlives a restart, sealed. It tells only those who may know,
 * and only while they have the person on screen; it does not say since when somebody is there, nor where.
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
      await roster.tellSet(accountId)
      return toOwnPresence(settings)
    },
  }

  return {
    handlers,
    accountRemoved: store.removeAccount,
    /** Tells what had to wait, and forgets who was not heard of; called every second. */
    look,
    async stop(): Promise<void> {
      clearInterval(timer)
      await roster.stop()
    },
    api: {
      /** Filled by what knows who has to do with whom. */
      acquaintances,
      /** A page of an account that has come; `tell` is called with how people are shown that it has on screen. */
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
       * Whether somebody sees what appears on a page now: in front of one in any process, and not set to away. Who is
       * invisible to others, or not to be disturbed, is present.
       */
      async isPresent(accountId: string): Promise<boolean> {
        return roster.isHere(accountId) && (await ownSettings(accountId)).mode !== 'away'
      },
      /** Of these accounts, those that others see to be there: whom `@here` reaches. */
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
