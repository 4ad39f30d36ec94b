/** Rate rules, counted in fixed windows, in bounded memory; processes of one instance count together. */
import { isIPv6 } from 'node:net'
import { limits } from '@atrium/contract/route'
import type { LimitName } from '@atrium/contract/route'
import type { Clock } from '../clock.ts'
import { type RateChannel, type RateWindow, createRateSharing } from './rate-sharing.ts'

export interface RateRule {
  readonly max: number
  readonly windowMs: number
}

export interface RateUse {
  readonly allowed: boolean
  readonly max: number
  readonly remaining: number
  /** Whole seconds until the window starts anew, at least 1. */
  readonly resetSeconds: number
  readonly windowSeconds: number
}

export interface Rates {
  /** Counts one request against a rule. It waits only where other processes count, too, and credit is used up. */
  take(rule: LimitName, key: string): RateUse | Promise<RateUse>
  /** Counts one request of somebody who has a rule of their own: so many a minute. */
  takeOwn(key: string, perMinute: number): RateUse | Promise<RateUse>
  stop(): void
}

export interface RateOptions {
  /** Replaces single rules of the contract. */
  readonly rules?: Partial<Record<LimitName, RateRule>> | undefined
  /** Told of each request that a rule refuses; `own`: that of a token. */
  readonly limited?: ((rule: LimitName | 'own') => void) | undefined
  readonly maxKeys?: number
  /** Where other processes count the same callers; `patienceMs`: how long one of them is waited for, at most. */
  readonly shared?:
    | { readonly channel: RateChannel; readonly processId: string; readonly patienceMs?: number }
    | undefined
}

/**
 * Counts at most `maxKeys` callers per rule; when more come at once, the one seen first is forgotten. Processes that share
 * let in a twentieth more than a rule says, at most, and none of the rules below twenty for each process.
 */
export const createRates = (
  clock: Clock,
  { rules = {}, limited, maxKeys = 20_000, shared }: RateOptions = {},
): Rates => {
  const windows = new Map<string, Map<string, RateWindow>>()
  const openWindow = (name: string, key: string, windowMs: number): RateWindow => {
    const now = clock.now()
    const counts = windows.get(name) ?? new Map<string, RateWindow>()
    windows.set(name, counts)
    const known = counts.get(key)
    if (known && known.endsAt > now) return known
    // Deleted first, so that the map stays in the order in which windows end.
    counts.delete(key)
    removeOldCounts(counts, now, maxKeys)
    const window = { counted: 0, unconfirmed: 0, endsAt: now + windowMs }
    counts.set(key, window)
    return window
  }
  const sharing = shared
    ? createRateSharing(shared.channel, {
        processId: shared.processId,
        patienceMs: shared.patienceMs,
        now: clock.now,
        openWindow(name, key, leftMs) {
          const window = openWindow(name, key, leftMs)
          // Windows that began apart end together.
          window.endsAt = Math.min(window.endsAt, clock.now() + leftMs)
          return window
        },
      })
    : null

  const count = (name: LimitName | 'own', rule: RateRule, key: string): RateUse | Promise<RateUse> => {
    const window = openWindow(name, key, rule.windowMs)
    const toUse = (allowed: boolean): RateUse => {
      if (!allowed) limited?.(name)
      return {
        allowed,
        max: rule.max,
        // A rule of one's own may have become tighter within its window.
        remaining: Math.max(0, rule.max - window.counted - window.unconfirmed),
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - clock.now()) / 1000)),
        windowSeconds: Math.ceil(rule.windowMs / 1000),
      }
    }
    if (window.counted + window.unconfirmed >= rule.max) return toUse(false)
    if (!sharing || shared?.channel.processes() === 1) window.counted += 1
    else if (window.unconfirmed >= sharing.creditOf(rule.max))
      return sharing.place(name, key, window).then((place) => toUse(place <= rule.max))
    else sharing.add(name, key, window)
    return toUse(true)
  }
  return {
    take: (name, key) => count(name, rules[name] ?? limits[name], key),
    takeOwn: (key, perMinute) => count('own', { max: perMinute, windowMs: 60_000 }, key),
    stop: () => sharing?.stop(),
  }
}

/** The key of a guest: the address, or its /64 for IPv6, because one host owns all of that. */
export const addressKey = (address: string): string => {
  const bare = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(bare)) return bare
  const [head = '', tail] = (bare.split('%')[0] ?? bare).split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...gap, ...right].slice(0, 4).join(':')}::/64`
}

const removeOldCounts = (counts: Map<string, RateWindow>, now: number, maxKeys: number): void => {
  for (const [key, window] of counts) {
    if (window.endsAt > now && counts.size < maxKeys) return
    counts.delete(key)
  }
}
