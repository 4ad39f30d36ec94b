/**
 * Whether this instance is a copy that must not act outside of itself yet, such as one that was restored beside the
 * original: jobs that send something wait until an administrator says otherwise.
 */
import { z } from 'zod'
import type { SavedSettings } from './settings/index.ts'

const Document = z.object({ since: z.number().nullable().default(null) })

export interface Pause {
  /** Since when, in milliseconds; null where nothing is paused. */
  since(): Promise<number | null>
  begin(now: number): Promise<void>
  end(): Promise<void>
}

export const createPause = (saved: Pick<SavedSettings, 'document'>): Pause => {
  // What cannot be read may be one.
  const document = saved.document('pause', Document, { since: 0 })
  return {
    since: async () => (await document.read()).since,
    begin: async (now) => void (await document.change(() => ({ since: now }))),
    end: async () => void (await document.change(() => ({ since: null }))),
  }
}
