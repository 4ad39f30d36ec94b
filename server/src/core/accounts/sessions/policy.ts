/** How long sessions last: what an administrator set, within what the environment says. */
import type { SessionPolicy } from '@atrium/contract/accounts'
import { z } from 'zod'
import { fail } from '../../../platform/http/refusal.ts'
import type { InstanceDocuments } from '../options.ts'

/** In milliseconds. */
export interface Lifetimes {
  /** From the sign-in on. */
  readonly absolute: number
  /** From the last use on. */
  readonly idle: number
}

export interface SessionPolicySetting {
  lifetimes(): Promise<Lifetimes>
  read(): Promise<SessionPolicy>
  /** Refuses with `setting_locked` what the environment fixes. */
  change(change: { lifetimeDays?: number | undefined; idleHours?: number | undefined }): Promise<SessionPolicy>
}

const hourMs = 3600_000
const usualIdleHours = 14 * 24
const usualDays = 30

const Saved = z.object({ lifetimeDays: z.number().optional(), idleHours: z.number().optional() })
type Saved = z.infer<typeof Saved>

/** `sessionDays`, `sessionIdleHours`: fixed by the environment. */
export const createSessionPolicy = (deps: {
  document: InstanceDocuments
  sessionDays: number | undefined
  sessionIdleHours: number | undefined
}): SessionPolicySetting => {
  const kept = deps.document('session-policy', Saved)
  const present = (saved: Saved): SessionPolicy => ({
    lifetimeDays: sourced(deps.sessionDays, 'SESSION_DAYS', saved.lifetimeDays, usualDays),
    idleHours: sourced(deps.sessionIdleHours, 'SESSION_IDLE_HOURS', saved.idleHours, usualIdleHours),
  })
  return {
    async lifetimes() {
      const { lifetimeDays, idleHours } = present(await kept.read())
      return { absolute: lifetimeDays.value * 24 * hourMs, idle: idleHours.value * hourMs }
    },
    read: async () => present(await kept.read()),
    async change({ lifetimeDays, idleHours }) {
      for (const [given, fixed, variable] of [
        [lifetimeDays, deps.sessionDays, 'SESSION_DAYS'],
        [idleHours, deps.sessionIdleHours, 'SESSION_IDLE_HOURS'],
      ] as const)
        if (given !== undefined && fixed !== undefined)
          throw fail('setting_locked', `This setting is fixed by ${variable} in the environment.`)
      return present(
        await kept.change((before) => ({
          lifetimeDays: lifetimeDays ?? before.lifetimeDays,
          idleHours: idleHours ?? before.idleHours,
        })),
      )
    },
  }
}

const sourced = (fixed: number | undefined, variable: string, saved: number | undefined, usual: number) => {
  if (fixed !== undefined) return { value: fixed, source: 'environment' as const, variable }
  return saved === undefined
    ? { value: usual, source: 'default' as const, variable: null }
    : { value: saved, source: 'saved' as const, variable: null }
}

/** When a session is over. A policy that became shorter holds for it as well, one that became longer does not. */
export const endOf = (
  session: { readonly createdAt: number; readonly lastSeenAt: number; readonly expiresAt: number },
  { absolute, idle }: Lifetimes,
): number => Math.min(session.expiresAt, session.createdAt + absolute, session.lastSeenAt + idle)
