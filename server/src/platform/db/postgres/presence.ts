/** Which processes are gone, so that others may take over what they left. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listener } from './listener.ts'

export interface PresenceTiming {
  /** Between two heartbeats of a process. */
  readonly beatMs: number
  /** So many own heartbeats without one of a process, and it is gone, whatever locks the server keeps for it. */
  readonly silentBeats: number
  /** Between two looks at the lock of a process; longer than a living one needs to come back after an absence of the server. */
  readonly confirmMs: number
}

/** A process that was killed is noticed within some four seconds, a machine that vanished within ten. */
export const usualTiming: PresenceTiming = { beatMs: 1000, silentBeats: 6, confirmMs: 1500 }

/**
 * Gives the function that says whether a process is gone. It never says so only because the database was away: it asks
 * twice, and what it goes by must have come over one connection that was whole all the while. `isHeld`: whether the
 * lock of a process is taken. Rejects when the database does not answer.
 */
export const createPresence = (
  listener: Pick<Listener, 'holds' | 'whole'>,
  isHeld: (processId: string) => Promise<boolean>,
  { silentBeats, confirmMs }: PresenceTiming,
): ((processId: string) => Promise<boolean>) => {
  return async (processId) => {
    const line = listener.whole()
    if (line === null || listener.holds(processId)) return false
    const { beats } = line
    // A machine without power lets go of no lock; and who stands still may find on waking that others went on.
    if (beats - line.heardAt(processId) >= silentBeats) return true
    if (await isHeld(processId)) return false
    await sleep(confirmMs, undefined, { ref: false })
    if (await isHeld(processId)) return false
    return listener.whole() === line && line.heardAt(processId) <= beats
  }
}
