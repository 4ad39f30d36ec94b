/** How long sessions last: what an administrator set, within what the environment says. */
import type { SessionPolicy } from '@atrium/contract/accounts'
import type { EffectiveSetting } from '../../../platform/settings/index.ts'
import type { AccountSettings } from '../settings.ts'

/** In milliseconds. */
export interface SessionLifetimes {
  /** From the sign-in on. */
  readonly absolute: number
  /** From the last use on. */
  readonly idle: number
}

export interface SessionPolicySetting {
  lifetimes(): Promise<SessionLifetimes>
  read(): Promise<SessionPolicy>
  /** Refuses with `setting_locked` what the environment fixes. */
  change(change: { lifetimeDays?: number | undefined; idleHours?: number | undefined }): Promise<SessionPolicy>
}

const hourMs = 3600_000

export const createSessionPolicy = (settings: AccountSettings['sessions']): SessionPolicySetting => ({
  async lifetimes() {
    const { lifetimeDays, idleHours } = await settings.values()
    return { absolute: lifetimeDays * 24 * hourMs, idle: idleHours * hourMs }
  },
  read: async () => toPolicy(await settings.read()),
  change: async (change) => toPolicy(await settings.change(change)),
})

const toPolicy = ({
  lifetimeDays,
  idleHours,
}: Record<keyof SessionPolicy, EffectiveSetting<number>>): SessionPolicy => ({
  lifetimeDays: toSourced(lifetimeDays),
  idleHours: toSourced(idleHours),
})

/** What cannot be read is as good as none: nothing stricter is known. */
const toSourced = ({ source, ...reading }: EffectiveSetting<number>) => ({
  ...reading,
  source: source === 'unreadable' ? ('default' as const) : source,
})

/** When a session is over. A policy that became shorter holds for it as well, one that became longer does not. */
export const endOf = (
  session: { readonly createdAt: number; readonly lastSeenAt: number; readonly expiresAt: number },
  { absolute, idle }: SessionLifetimes,
): number => Math.min(session.expiresAt, session.createdAt + absolute, session.lastSeenAt + idle)
