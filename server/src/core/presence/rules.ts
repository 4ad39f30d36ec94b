/** Decisions about presence. Pure. */
import type { OwnPresence, Presence } from '@atrium/contract/presence'

/** What somebody has set; `until` in milliseconds. */
export interface PresenceSettings {
  readonly mode: OwnPresence['mode']
  readonly until: number | null
  readonly status: string | null
}

export const usualSettings: PresenceSettings = { mode: 'automatic', until: null, status: null }

/** What is set at a time: `do-not-disturb` ends by itself. */
export const settingsAt = (settings: PresenceSettings, now: number): PresenceSettings =>
  settings.mode === 'do-not-disturb' && (settings.until ?? 0) <= now
    ? { ...settings, mode: 'automatic', until: null }
    : settings

/** How others see somebody, by what is set now and whether somebody is there. */
export const shownState = (settings: PresenceSettings, isHere: boolean): Presence['state'] =>
  settings.mode === 'do-not-disturb' ? settings.mode : settings.mode === 'automatic' && isHere ? 'active' : 'away'

/** Whether `@here` reaches them: those who are seen to be there, also who is not to be disturbed. */
export const isCalledHere = (settings: PresenceSettings, isHere: boolean): boolean =>
  isHere && (settings.mode === 'automatic' || settings.mode === 'do-not-disturb')
