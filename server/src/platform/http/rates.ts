/** Rate rules, counted in this process in fixed windows, in bounded memory. */
import { isIPv6 } from 'node:net'
import { limits } from '@atrium/contract/route'
import type { LimitName } from '@atrium/contract/route'
import type { Clock } from '../clock.ts'

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
  /** Counts one request against a rule. */
  take(rule: LimitName, key: string): RateUse
  /** Counts one request of somebody who has a rule of their own: so many a minute. */
  takeOwn(key: string, perMinute: number): RateUse
}

export interface RateOptions {
  /** Replaces single rules of the contract. */
  readonly rules?: Partial<Record<LimitName, RateRule>> | undefined
  /** Told of each request that a rule refuses; `own`: that of a token. */
  readonly limited?: ((rule: LimitName | 'own') => void) | undefined
  readonly maxKeys?: number
}

/**
 * Counts at most `maxKeys` callers per rule; when more come at once, the one seen first is forgotten.
 */
export const createRates = (clock: Clock, { rules = {}, limited, maxKeys = 20_000 }: RateOptions = {}): Rates => {
  const windows = new Map<LimitName | 'own', Map<string, Window>>()
  const count = (name: LimitName | 'own', rule: RateRule, key: string): RateUse => {
    const now = clock.now()
    const counts = windows.get(name) ?? new Map<string, Window>()
    windows.set(name, counts)
    let window = counts.get(key)
    if (!window || window.endsAt <= now) {
      // Deleted first, so that the map stays in the order in which windows end.
      counts.delete(key)
      removeOldCounts(counts, now, maxKeys)
      window = { count: 0, endsAt: now + rule.windowMs }
      counts.set(key, window)
    }
    const allowed = window.count < rule.max
    if (allowed) window.count += 1
    else limited?.(name)
    return {
      allowed,
      max: rule.max,
      // A rule of one's own may have become tighter within its window.
      remaining: Math.max(0, rule.max - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
      windowSeconds: Math.ceil(rule.windowMs / 1000),
    }
  }
  return {
    take: (name, key) => count(name, rules[name] ?? limits[name], key),
    takeOwn: (key, perMinute) => count('own', { max: perMinute, windowMs: 60_000 }, key),
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

interface Window {
  count: number
  readonly endsAt: number
}

const removeOldCounts = (counts: Map<string, Window>, now: number, maxKeys: number): void => {
  for (const [key, window] of counts) {
    if (window.endsAt > now && counts.size < maxKeys) return
    counts.delete(key)
  }
}
