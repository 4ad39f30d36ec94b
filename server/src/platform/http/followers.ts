/** How many streams and sockets somebody has open at once: when there is one too many, the oldest gives way. */
import type { Caller } from './area.ts'

export interface FollowerBounds {
  /** Of one session, which is one browser: HTTP/1.1 opens six connections to a server, for all its tabs together. */
  readonly perSession: number
  /** Of all sessions and tokens of an account. */
  readonly perAccount: number
}

export const usualFollowers: FollowerBounds = { perSession: 6, perAccount: 20 }

export interface Followers {
  /** Counts one more, which is told when it has to end for a newer one. Gives the function that takes it out again. */
  join(caller: Caller, giveWay: () => void): () => void
}

type Group = Set<() => void>

export const createFollowers = ({ perSession, perAccount }: FollowerBounds): Followers => {
  const groups = new Map<string, Group>()
  const enter = (key: string, one: () => void): Group => {
    const group = groups.get(key) ?? new Set()
    groups.set(key, group.add(one))
    return group
  }
  const leave = (key: string, one: () => void): void => {
    const group = groups.get(key)
    if (group?.delete(one) && group.size === 0) groups.delete(key)
  }
  return {
    join({ accountId, sessionId }, giveWay) {
      const keys = [`session ${sessionId}`, `account ${accountId}`] as const
      const out = (): void => keys.forEach((key) => leave(key, oust))
      const oust = (): void => {
        out()
        giveWay()
      }
      for (const [index, most] of [perSession, perAccount].entries()) {
        const group = enter(keys[index] as string, oust)
        // Sets keep the order in which things were put in.
        const [oldest] = group
        if (group.size > most) oldest?.()
      }
      return out
    },
  }
}
