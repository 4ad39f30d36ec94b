/**
 * Who has links open, in this process. One look at the database at a time tells for all of them what changed and what
 * works no more, whichever process changed it; so a link that was taken back is gone for its visitors within a second.
 */
import type { Frame } from '../../../platform/http/area.ts'
import { addressKey } from '../../../platform/http/rates.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createPoller } from '../../../platform/poller.ts'

export type LinkEvent = { readonly type: 'changed' | 'ended'; readonly data: Record<never, never> }

export interface LinkWatch {
  /**
   * Tells once at the beginning, at each change, and the end, after which nothing comes. Refuses with `rate_limited`
   * where one address, or all together, follow too many.
   */
  follow(visit: {
    readonly linkId: string
    /** Whose the thing is. */
    readonly ownerId: string
    /** So long the visit is good. */
    readonly leftMs: number
    /** The number of the last event that the visitor had. */
    readonly after: number
    readonly address: string
    readonly signal: AbortSignal
  }): AsyncGenerator<Frame<LinkEvent>>
  /** Looks at once. */
  look(): void
}

const everyMs = 400
/** So long a database that does not answer says nothing about a link: while nobody can write, nobody takes one back. */
const awayMs = 30_000
const mostOfAddress = 30
const mostOfAll = 1000

interface Follower {
  readonly linkId: string
  readonly ownerId: string
  readonly address: string
  seen: string | null
  changed: boolean
  ended: boolean
  wake: () => void
}

export const createLinkWatch = (deps: {
  /** What the visitors of these links have before them, another one when it changes; links that do not work are left out. */
  readonly states: (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
  /** Whether links of this account's things may be used. */
  readonly isAllowed: (ownerId: string) => Promise<boolean>
  readonly log: Pick<Log, 'warn'>
}): LinkWatch => {
  const followers = new Set<Follower>()
  let answeredAt = performance.now()

  /** Who came while `ids` were asked for waits for the next look. */
  const tell = (ids: readonly string[], states: ReadonlyMap<string, unknown>): void => {
    for (const one of followers) {
      if (!ids.includes(one.linkId)) continue
      const state = states.get(one.linkId)
      const now = state === undefined ? null : JSON.stringify(state)
      if (now === null) one.ended = true
      else if (one.seen !== now) one.changed = true
      one.seen = now
      if (one.ended || one.changed) one.wake()
    }
  }
  /** The links of those whose links may be used. */
  const allowedIds = async (): Promise<string[]> => {
    const ids = new Set<string>()
    await Promise.all(
      [...Map.groupBy(followers, (one) => one.ownerId)].map(async ([ownerId, followed]) => {
        if (await deps.isAllowed(ownerId)) for (const { linkId } of followed) ids.add(linkId)
      }),
    )
    return [...ids]
  }
  /** Null where nothing can be told yet. */
  const readStates = async (): Promise<ReadonlyMap<string, unknown> | null> => {
    try {
      const allowed = await allowedIds()
      const states = allowed.length > 0 ? await deps.states(allowed) : new Map<string, unknown>()
      answeredAt = performance.now()
      return states
    } catch (error) {
      if (performance.now() - answeredAt < awayMs) return null
      deps.log.warn('It cannot be told whether links still work, so nobody sees anything by them.', { error })
      return new Map()
    }
  }
  const { now: look } = createPoller({
    everyMs,
    isNeeded: () => followers.size > 0,
    async run() {
      const ids = [...new Set([...followers].map(({ linkId }) => linkId))]
      const states = await readStates()
      if (states) tell(ids, states)
    },
    failed: (error) => deps.log.warn('Those who follow links could not be told.', { error }),
  })

  return {
    look,
    async *follow({ linkId, ownerId, leftMs, after, address, signal }) {
      const key = addressKey(address)
      const same = [...followers].filter((one) => one.address === key).length
      if (same >= mostOfAddress || followers.size >= mostOfAll) throw fail('rate_limited')
      const one: Follower = { linkId, ownerId, address: key, seen: null, changed: false, ended: false, wake: () => {} }
      if (followers.size === 0) answeredAt = performance.now()
      followers.add(one)
      const over = setTimeout(() => {
        one.ended = true
        one.wake()
      }, leftMs).unref()
      const stop = (): void => one.wake()
      signal.addEventListener('abort', stop)
      look()
      try {
        for (let seq = after + 1; !signal.aborted; seq++) {
          while (!one.changed && !one.ended && !signal.aborted)
            await new Promise<void>((resolve) => {
              one.wake = resolve
            })
          if (signal.aborted) return
          yield { seq, event: { type: one.ended ? 'ended' : 'changed', data: {} } }
          if (one.ended) return
          one.changed = false
        }
      } finally {
        clearTimeout(over)
        signal.removeEventListener('abort', stop)
        followers.delete(one)
      }
    },
  }
}
