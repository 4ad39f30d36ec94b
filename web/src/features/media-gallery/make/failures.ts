/** Which failures a person has not looked at yet, as this browser remembers it. */
import type { MediaJob } from '@atrium/contract/media-gallery'

const key = 'atrium.media-failures-seen'

/** Those that ended after `seen` (an ISO time), but for what the person stopped. */
export const unseenFailures = (jobs: readonly MediaJob[], seen: string): MediaJob[] =>
  jobs.filter(({ status, error, updatedAt }) => status === 'failed' && error !== 'cancelled' && updatedAt > seen)

export const readSeen = (): string => localStorage.getItem(key) ?? ''

/** Everything that had failed by then is seen; gives the latest time that counts. */
export function writeSeen(time: string): string {
  const seen = time > readSeen() ? time : readSeen()
  localStorage.setItem(key, seen)
  return seen
}
