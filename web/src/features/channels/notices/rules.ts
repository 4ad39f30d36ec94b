/** Whether a channel is to be quiet. Pure. */
import type { Channel } from '@atrium/contract/channels'

/** Nothing of it is told now: its place in the list says so, and no count calls. */
export const isQuiet = ({ notices }: Pick<Channel, 'notices'>, now: number): boolean =>
  notices.level === 'nothing' || isMuted(notices.mutedUntil, now)

export const isMuted = (mutedUntil: string | null, now: number): boolean =>
  mutedUntil !== null && Date.parse(mutedUntil) > now
