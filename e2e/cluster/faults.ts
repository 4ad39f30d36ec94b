/** What happens to a cluster: processes are killed or cut off, the database server is restarted, stands still or is full. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { type Cluster, maxConnections } from './cluster.ts'
import type { Driver } from './driver.ts'

/** Waiting under load; a test that fails takes all of it. */
export const patience = { timeout: 120_000, interval: 100 }

/** A process that could not tell the others that it lives. */
export interface Absence {
  readonly member: number
  /** When it ended or was cut off, in milliseconds of `performance.now()`. */
  readonly at: number
}

export type Random = (most: number) => number

/** Whole numbers below a bound, the same ones for the same seed (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most)
  }
}

export type Faults = ReturnType<typeof createFaults>

export const createFaults = (cluster: Cluster, random: Random) => {
  const { members, postgres } = cluster
  const absences: Absence[] = []
  const pick = (): number => random(members.length)
  return {
    /** Processes that others may take for gone: were killed, or cut off for longer than they are waited for (0027). */
    absences,
    /** Kills a process at some moment, and starts it again after another. */
    async kill(withinMs: number, awayMs: number): Promise<void> {
      const member = pick()
      await sleep(random(withinMs))
      await members[member]?.kill()
      absences.push({ member, at: performance.now() })
      await sleep(random(awayMs))
      await members[member]?.start()
    },
    /** Cuts a process off from the database. `isLong`: the others may take it for gone. */
    async cutOff(ms: number, isLong = false): Promise<void> {
      const member = pick()
      members[member]?.link.cut()
      if (isLong) absences.push({ member, at: performance.now() })
      await sleep(ms)
      members[member]?.link.restore()
    },
    async useUpConnections(ms: number): Promise<void> {
      const clients = Array.from({ length: maxConnections }, () => new pg.Client({ connectionString: postgres.url }))
      for (const client of clients) client.on('error', () => undefined)
      // As many as there are: the rest is refused.
      const taken = await Promise.allSettled(clients.map((client) => client.connect()))
      expect(taken.some(({ status }) => status === 'rejected')).toBe(true)
      await sleep(ms)
      await Promise.allSettled(clients.map((client) => client.end()))
    },
    async freeze(ms: number): Promise<void> {
      await postgres.freeze()
      await sleep(ms)
      await postgres.thaw()
    },
    restart: (how: 'fast' | 'immediate'): Promise<void> => postgres.restart(how),
  }
}

/** Waits until all processes serve, and people have had answers again. */
export const waitUntilServed = async (cluster: Cluster, driver: Driver): Promise<void> => {
  await expect
    .poll(async () => (await Promise.all(cluster.members.map((each) => each.isReady()))).every(Boolean), patience)
    .toBe(true)
  const before = driver.ended()
  await expect.poll(() => driver.ended(), patience).toBeGreaterThan(before + 1)
}
