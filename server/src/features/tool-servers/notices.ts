/** Looks at what a server says has changed: soon, and not often, whatever it says. */
import type { Platform } from '../../platform/platform.ts'

const soonMs = 500
const atMostEveryMs = 60_000

type Look = () => Promise<void>

export const createNotices = ({ clock, log }: Pick<Platform, 'clock' | 'log'>) => {
  const waiting = new Map<string, NodeJS.Timeout>()
  const lookedAt = new Map<string, number>()
  return {
    /** `key` names what is looked at. */
    notice(key: string, look: Look): void {
      if (waiting.has(key)) return
      const since = clock.now() - (lookedAt.get(key) ?? Number.NEGATIVE_INFINITY)
      const timer = setTimeout(
        () => {
          waiting.delete(key)
          lookedAt.set(key, clock.now())
          look().catch((error: unknown) => log.warn('a change at a tool server could not be looked at', { error }))
        },
        // The clock may have been put back.
        Math.min(Math.max(soonMs, atMostEveryMs - since), atMostEveryMs),
      )
      timer.unref()
      waiting.set(key, timer)
    },
    stop(): void {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
